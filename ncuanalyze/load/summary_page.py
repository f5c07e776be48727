"""``--print-summary``: minimum, maximum and average over the launches of one kernel."""

from __future__ import annotations

from collections.abc import Iterator

from ncuanalyze.load.details_page import Sheet, read_row
from ncuanalyze.load.limits import check
from ncuanalyze.load.number import decimal_sign, number_of
from ncuanalyze.load.table import AVERAGE, INVOCATIONS, Table
from ncuanalyze.profile import KernelLaunch

_MOST = 1e15
_EXTREMES = ("Minimum", "Maximum")
_NOTE = "the values are averages over the launches of a kernel (--print-summary), so no single launch is shown"


def launches_of_summary(table: Table) -> Iterator[KernelLaunch]:
    """One launch for each kernel and launch size, with the average values and the number of invocations."""
    decimal = decimal_sign(record[AVERAGE] for record in table.records())
    printed = table.labels
    keys = table.header[: table.header.index(INVOCATIONS) + 1]
    sheets: dict[tuple[str, ...], Sheet] = {}
    for record in table.records():
        key = tuple(record[name] for name in keys)
        if key not in sheets:
            sheets[key] = Sheet(record)
            check(kernels=len(sheets))
        read_row(sheets[key], record, printed, value=AVERAGE)
    for at, sheet in enumerate(sheets.values()):
        count = sheet.first[INVOCATIONS]
        sheet.cells.setdefault(INVOCATIONS, count)
        yield sheet.launch(decimal, id=str(at), invocations=_count(count, decimal))


def _count(cell: str, decimal: str) -> int:
    """How many launches; one where the cell is no number that a count can be."""
    number = number_of(cell, decimal) or 0.0
    return int(number) if 1 <= number <= _MOST else 1


def summary_note() -> str:
    """What a reader must know about such a profile."""
    return _NOTE
