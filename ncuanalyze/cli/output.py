"""Where a command's data goes: standard output, or a file that is not overwritten by accident."""

from __future__ import annotations

from pathlib import Path

import click

from ncuanalyze.cli.error_line import tell
from ncuanalyze.cli.reading import was_read
from ncuanalyze.errors import InvalidInput
from ncuanalyze.system_errors import hint_of


def write_output(text: str, output: Path | None, *, force: bool) -> None:
    """Write ``text`` to standard output, or to a file as ``check_target`` allows it."""
    if output is None:
        click.echo(text, nl=False, color=True)
        return
    check_target(output, force=force)
    try:
        output.write_text(text, encoding="utf-8")
    except OSError as error:
        raise cannot_write(output, error) from error
    tell(f"wrote {output}")


def check_target(output: Path, *, force: bool, option: str = "--force") -> None:
    """Raise InvalidInput for a file that exists, unless ``force``, and for a report that was read, even then."""
    if output.exists() and not force:
        raise InvalidInput(f"{output} exists", hint=f"add {option} to overwrite it")
    if was_read(output):
        raise InvalidInput(f"{output} is the report itself", hint="write to another file")


def cannot_write(output: Path, error: OSError) -> InvalidInput:
    """What to raise where the system refuses an output file."""
    return InvalidInput(f"cannot write {output}: {error.strerror}", hint=hint_of(error, "check the folder"))
