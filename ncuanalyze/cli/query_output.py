"""Writes the answer to a query: all rows for other programs, the first ones as a table for reading."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ncuanalyze.cli.output import cannot_write
from ncuanalyze.render.names import safe_text

if TYPE_CHECKING:
    from ncuanalyze.query import Results

MOST_SHOWN = 1_000
"""Rows of a table for reading."""
MOST_COUNTED = 100_000
"""Beyond so many rows that are not shown, their number is not found out."""


def write_answer(results: Results, form: str, output: Path | None, *, color: bool | None) -> None:
    """Write it to standard output, or to ``output`` in one step; notes go to standard error."""
    from ncuanalyze.cli.query_export import EXPORTS
    from ncuanalyze.cli.query_tables import text_table
    from ncuanalyze.query import Answer

    if form != "text":
        _write(EXPORTS[form](results), output)
    else:
        rows, more = _first(results)
        answer = Answer(columns=results.columns, rows=tuple(rows), shown=results.shown)
        _write([text_table(answer, color)], output)
        if more:
            click.echo(f"note: {more} more rows; --format csv and --format json give all", err=True)
    if results.note:
        click.echo(f"note: {results.note}", err=True)


def _first(results: Results) -> tuple[list[tuple[Any, ...]], str]:
    """The rows to show, and how many come after them."""
    rows: list[tuple[Any, ...]] = []
    more = 0
    for batch in results.batches():
        room = MOST_SHOWN - len(rows)
        rows += batch[:room]
        more += len(batch[room:])
        if more > MOST_COUNTED:
            return rows, f"more than {MOST_COUNTED:,}"
    return rows, f"{more:,}" if more else ""


def _write(pieces: Iterable[str], output: Path | None) -> None:
    if output is None:
        for piece in pieces:
            click.echo(piece, nl=False, color=True)
        return
    try:
        _write_file(pieces, output.resolve())
    except OSError as error:
        raise cannot_write(output, error) from error
    click.echo(f"wrote {safe_text(str(output))}", err=True)


def _write_file(pieces: Iterable[str], file: Path) -> None:
    """In one step, so that a query that fails midway leaves nothing; straight into what is no file, as a pipe."""
    begun = file if file.exists() and not file.is_file() else file.with_name(f"{file.name}.new")
    try:
        with begun.open("w", encoding="utf-8", newline="") as out:
            out.writelines(pieces)
        if begun != file:
            begun.replace(file)
    finally:
        if begun != file:
            begun.unlink(missing_ok=True)
