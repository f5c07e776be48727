"""``--save FORMAT=FILE`` and ``--overwrite``: several outputs of one run, so that nothing is read twice."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from pathlib import Path

from ncuanalyze.cli.output import check_target, write_output
from ncuanalyze.errors import InvalidOption


def parse_saves(texts: Sequence[str], formats: Collection[str]) -> list[tuple[str, Path]]:
    """The (format, file) pairs. Raises InvalidInput for an unknown format or a text without ``=``."""
    pairs = []
    for text in texts:
        form, sign, file = text.partition("=")
        if not sign or not file or form not in formats:
            known = ", ".join(formats)
            raise InvalidOption(f"--save {text}: FORMAT=FILE is expected", hint=f"the formats are {known}")
        pairs.append((form, Path(file)))
    return pairs


def write(text: str, output: Path | None, *, overwrite: bool) -> None:
    """Write to a file or standard output; an existing file needs ``--overwrite`` (``--force`` means another thing)."""
    if output is not None:
        check_target(output, force=overwrite, option="--overwrite")
    write_output(text, output, force=True)


def save_all(saves: Sequence[tuple[str, Path]], render: Callable[[str], str], *, overwrite: bool) -> None:
    """Write each format to its file."""
    for form, file in saves:
        write(render(form), file, overwrite=overwrite)
