"""The raw page: one row a launch, one column a metric, and a row of units below the header."""

from __future__ import annotations

from collections.abc import Iterator

from ncuanalyze.load.cells import CellMetrics
from ncuanalyze.load.identity import launch_of_row
from ncuanalyze.load.number import decimal_sign
from ncuanalyze.load.tables import Table
from ncuanalyze.profile import KernelLaunch

_IDENTITY = frozenset(
    {"ID", "Process ID", "Process Name", "Host Name", "Kernel Name", "Kernel Time", "Context", "Stream"}
    | {"Block Size", "Grid Size", "Device", "CC", "NVTX Range", "Range Name"}
)


def launches_of_raw_page(table: Table) -> Iterator[KernelLaunch]:
    """The launches of one table; without a units row the units are those that the metric names tell."""
    columns = [at for at, name in enumerate(table.header) if not _is_identity(name)]
    names = [table.header[at] for at in columns]
    units = {table.header[at]: table.units[at] for at in columns} if table.units else {}
    decimal = decimal_sign(row[at] for row in table.rows for at in columns)
    for row, record in zip(table.rows, table.records(), strict=True):
        cells = dict(zip(names, (row[at] for at in columns), strict=True))
        yield launch_of_row(record, CellMetrics(cells, units, decimal))


def _is_identity(column: str) -> bool:
    return column in _IDENTITY or "Domain:" in column or not column
