"""Answers of a query as aligned text; the unit at the end of a column's name tells how to show it."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from itertools import groupby
from typing import Any

from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from ncuanalyze.cli.console import as_text, columns_of_terminal
from ncuanalyze.cli.query_values import word
from ncuanalyze.query import Answer
from ncuanalyze.render.names import safe_text, short_name
from ncuanalyze.render.numbers import digits, duration, pct

Row = tuple[Any, ...]

NAME_WIDTH = 36
_GROUPS = ("gpu", "team")
_NOT_NAMED = "(not named)"
_NARROWEST_TEXT, _GAP = 12, 2


def text_table(answer: Answer, color: bool | None = None) -> str:
    """A table for reading, in a terminal's width; rows of one GPU or team stand below its name.

    Where the columns do not fit, each row becomes a block of lines, so that nothing is lost.
    """
    if not answer.rows:
        return "nothing found\n"
    columns, rows = _chosen(answer)
    if not _fits(columns, rows):
        return as_text([_block(columns, row) for row in rows], color=color)
    if len(columns) == 1 or columns[0] not in _GROUPS:
        return as_text([_table(columns, rows)], color=color)
    parts: list[Any] = []
    for name, below in _grouped(rows):
        parts += [_shown("", name) or _NOT_NAMED, Padding.indent(_table(columns[1:], below), 2), ""]
    return as_text(parts[:-1], color=color)


def _chosen(answer: Answer) -> tuple[Sequence[str], Sequence[Row]]:
    """The columns and cells to show."""
    if not answer.shown:
        return answer.columns, answer.rows
    places = [answer.columns.index(name) for name in answer.shown]
    return answer.shown, [tuple(row[place] for place in places) for row in answer.rows]


def _fits(columns: Sequence[str], rows: Sequence[Row]) -> bool:
    """Whether every column has room; texts behind the first may wrap down to some letters."""
    widths = []
    for place, name in enumerate(columns):
        longest = max(len(_shown(name, row[place])) for row in rows)
        wraps = place > 0 and any(isinstance(row[place], str) for row in rows)
        widths.append(max(len(_heading(name)), min(longest, _NARROWEST_TEXT) if wraps else longest))
    return sum(widths) + _GAP * len(widths) <= columns_of_terminal()


def _block(columns: Sequence[str], row: Row) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, show_header=False)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for name, value in zip(columns, row, strict=True):
        table.add_row(Text(_heading(name)), Text(_shown(name, value)))
    table.add_row("", "")
    return table


def _grouped(rows: Sequence[Row]) -> list[tuple[Any, list[Row]]]:
    """Rows below the value of their first column, in the order in which rows come, which says what matters most."""
    return [(first, [row[1:] for row in below]) for first, below in groupby(rows, key=lambda row: row[0])]


def _table(columns: Sequence[str], rows: Sequence[Row]) -> Table:
    """A table without lines: the first column and numbers stay on one line, other texts wrap."""
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold", pad_edge=False)
    for place, name in enumerate(columns):
        is_text = any(isinstance(row[place], str) for row in rows)
        table.add_column(
            Text(_heading(name)),
            justify="left" if is_text else "right",
            overflow="fold",
            no_wrap=place == 0 or not is_text,
        )
    for row in rows:
        table.add_row(*(Text(_shown(name, value)) for name, value in zip(columns, row, strict=True)))
    return table


def _heading(name: str) -> str:
    return safe_text(name.removesuffix("_ns").removesuffix("_pct")).replace("_", " ")


def _shown(name: str, value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if not isinstance(value, int | float | Decimal):
        return _shown_text(name, value)
    if name.endswith("_ns"):
        return duration(float(value))
    if name.endswith("_pct"):
        return pct(float(value))
    return digits(value) if isinstance(value, float) else f"{value:,}"


def _shown_text(name: str, value: Any) -> str:
    if name in ("kernel", "demangled") and isinstance(value, str) and value:
        return short_name(value, NAME_WIDTH)
    return safe_text(word(value))
