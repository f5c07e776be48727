"""Tables and lines as text: 80 columns and no colour unless a terminal asks for more."""

from __future__ import annotations

import io
import shutil
import sys
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console, JustifyMethod, RenderableType
    from rich.table import Table

NARROWEST, WIDEST, DEFAULT_WIDTH = 60, 120, 80


def as_text(parts: Sequence[RenderableType], *, color: bool | None = None) -> str:
    """The parts one under the other. ``color`` None: only on a terminal that does not set ``NO_COLOR``."""
    out = io.StringIO()
    console = _console(out, color)
    for part in parts:
        console.print(_paragraph(part) if isinstance(part, str) else part)
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines()) + "\n"


def _paragraph(text: str) -> RenderableType:
    """Text that wraps under its own indentation."""
    from rich.padding import Padding
    from rich.text import Text

    indent = len(text) - len(text.lstrip())
    return Padding(Text(text.strip()), (0, 0, 0, indent)) if indent else Text(text)


def plain_table(columns: Sequence[str], rows: Sequence[Sequence[str]], *, text: Collection[int] = (0,)) -> Table:
    """A table without lines; the columns in ``text`` are left-justified, the rest numbers."""
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold", pad_edge=False)
    for index, column in enumerate(columns):
        justify: JustifyMethod = "left" if index in text else "right"
        table.add_column(Text(column), justify=justify, overflow="fold", no_wrap=index == 0)
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    return table


def columns_of_terminal() -> int:
    """How wide tables are: the terminal's columns within limits, or 80 where the output goes elsewhere."""
    columns = shutil.get_terminal_size((DEFAULT_WIDTH, 24)).columns if sys.stdout.isatty() else DEFAULT_WIDTH
    return max(NARROWEST, min(columns, WIDEST))


def _console(out: io.StringIO, color: bool | None) -> Console:
    import os

    from rich.console import Console

    terminal = sys.stdout.isatty()
    wanted = (terminal and not os.environ.get("NO_COLOR")) if color is None else color
    return Console(
        file=out,
        width=columns_of_terminal(),
        force_terminal=wanted,
        no_color=not wanted,
        color_system="standard" if wanted else None,
        highlight=False,
        emoji=False,
        markup=False,
    )
