"""The raw page: one row a launch, one column a metric, and a row of units below the header."""

from __future__ import annotations

from collections.abc import Iterator

from ncuanalyze.load.cells import CellMetrics
from ncuanalyze.load.identity import launch_of_row
from ncuanalyze.load.number import decimal_sign
from ncuanalyze.load.table import Record, Table, is_identity
from ncuanalyze.profile import KernelLaunch


def launches_of_raw_page(table: Table) -> Iterator[KernelLaunch]:
    """The launches of one table; without a units row the units are those that the metric names tell."""
    columns = table.metric_columns
    names = {table.header[at]: at for at in columns}
    identity = {name: at for name, at in table.places.items() if is_identity(name)}
    units = {table.header[at]: table.units[at] for at in columns} if table.units else {}
    decimal = decimal_sign(row[at] for row in table.rows for at in columns)
    for row in table.rows:
        yield launch_of_row(Record(identity, row), CellMetrics(Record(names, row), units, decimal, columns=names))
