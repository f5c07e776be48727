"""Where a command's data goes: standard output, or a file that is not overwritten by accident."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from ncuanalyze.errors import InvalidInput


def write_output(text: str, output: Path | None, *, force: bool, inputs: Sequence[str] = ()) -> None:
    """Write ``text``; an existing file needs ``force``, and one of ``inputs`` is never overwritten."""
    if output is None:
        click.echo(text, nl=False, color=True)
        return
    if output.exists() and not force:
        raise InvalidInput(f"{output} exists", hint="add --force to overwrite it")
    if output.exists() and any(Path(given).exists() and output.samefile(given) for given in inputs):
        raise InvalidInput(f"{output} is the report itself", hint="write to another file")
    try:
        output.write_text(text, encoding="utf-8")
    except OSError as error:
        raise InvalidInput(f"cannot write {output}: {error.strerror}", hint="check the folder") from error
    click.echo(f"wrote {output}", err=True)
