"""The terminal's table: one line a kernel by time, launches that tell the same as one line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ncuanalyze.diagnosis import Bound, KernelDiagnosis
from ncuanalyze.render.kernel_rows import KernelRow
from ncuanalyze.render.numbers import duration, pct, short_name

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from ncuanalyze.render.terminal import Style

BOUND_COLORS = {
    Bound.COMPUTE: "magenta",
    Bound.MEMORY: "cyan",
    Bound.LATENCY: "yellow",
    Bound.BALANCED: "blue",
    Bound.INCONCLUSIVE: "bright_black",
}
LINES = 40
"""A longer table is cut, unless everything is asked for: the rest takes little of the time."""


_KERNEL = 4
"""Where the name stands among the cells of a row."""
_OTHERS = 33
"""Columns that time, share, bound and limiter take, with the blanks between them."""


def write_table(rows: Sequence[KernelRow], console: Console, style: Style) -> None:
    """Time, share, bound, limiter, name and first finding of each row."""
    from rich.cells import cell_len
    from rich.table import Table

    width = style.width // 3
    shown = rows if style.verbose else rows[:LINES]
    cells = [_cells(row, width) for row in shown]
    named = max((cell_len(str(row[_KERNEL])) for row in cells), default=0)
    table = Table(box=None, padding=(0, 1, 0, 0), header_style="bold", expand=False)
    table.add_column("time", justify="right", no_wrap=True, min_width=7)
    table.add_column("share", justify="right", no_wrap=True, min_width=5)
    table.add_column("bound", no_wrap=True, min_width=8)
    table.add_column("limiter", no_wrap=True, min_width=7)
    table.add_column("kernel", no_wrap=True, max_width=width)
    table.add_column("first finding", no_wrap=True, max_width=style.width - _OTHERS - named)
    for row in cells:
        table.add_row(*row)
    console.print()
    console.print(table)
    if len(shown) < len(rows):
        share = pct(sum(row.share_pct or 0.0 for row in rows[len(shown) :]))
        console.print(f"and {len(rows) - len(shown)} more with {share} of the time", style="dim", highlight=False)


def _cells(row: KernelRow, width: int) -> tuple[str | Text, ...]:
    from rich.text import Text

    item, times = row.slowest, f"{len(row.launches)}× " if len(row.launches) > 1 else ""
    return (
        duration(row.duration_ns),
        pct(row.share_pct) if row.share_pct is not None else "",
        Text(item.bound.value, style=BOUND_COLORS[item.bound]),
        item.limiter or "-",
        Text(times + short_name(row.label, width - len(times))),
        Text(_first(item), overflow="ellipsis"),
    )


def _first(item: KernelDiagnosis) -> str:
    if item.findings:
        best = item.findings[0]
        gain = f"{best.speedup.estimate:.2g}x " if best.speedup is not None else ""
        return gain + best.id
    return "at its roof" if item.at_roofline else ""
