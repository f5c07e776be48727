"""The metrics of one launch of an export: printed cells, turned into numbers when they are asked for."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from ncuanalyze.load.bounded import bounded
from ncuanalyze.load.number import instances_of, value_of
from ncuanalyze.load.old_names import old_names
from ncuanalyze.profile import Value
from ncuanalyze.units import unit_of_metric


class CellMetrics:
    """``cells`` and ``units`` by metric name, as printed; ``labels`` leads from labels to metric names.

    ``columns``: every name that the cells of any launch of the export have, which all its launches share.
    """

    def __init__(
        self,
        cells: Mapping[str, str],
        units: Mapping[str, str],
        decimal: str = ".",
        labels: Mapping[str, str] | None = None,
        columns: Collection[str] | None = None,
    ) -> None:
        self._cells = cells
        self._columns = cells if columns is None else columns
        self._units = units
        self._decimal = decimal
        old = old_names(cells.__contains__)
        self._others = {**old, **(labels or {})} if old else labels or {}
        self._values: dict[str, Value | None] = {}

    def names(self) -> Collection[str]:
        """Every metric of the export, with a value or without."""
        return self._cells.keys()

    def raw(self, name: str) -> Value | None:
        """The value in its base unit. What the export lacks is not kept: each launch is asked for hundreds of names."""
        if name not in self._columns and name not in self._others:  # nine of ten: the quickest way out
            return None
        if name in self._values:
            return self._values[name]
        cell = self._cells.get(name)
        if cell is None and (other := self._others.get(name)) is not None:
            name, cell = other, self._cells.get(other)
        if cell is None:
            return None
        value = self._values[name] = self._read(name, cell)
        return value

    def unit(self, name: str) -> str:
        """The base unit."""
        name = self._known(name)
        return unit_of_metric(name, self._units.get(name, "")).base if name in self._cells else ""

    def instances(self, name: str) -> Sequence[tuple[int | float | str | None, float | str | None]]:
        """(correlation id, value) pairs, where the export prints them."""
        name = self._known(name)
        factor = unit_of_metric(name, self._units.get(name, "")).factor
        pairs = instances_of(self._cells.get(name, ""), self._decimal)
        return tuple((key, value * factor if isinstance(value, float) else value) for key, value in pairs)

    def _known(self, name: str) -> str:
        return name if name in self._cells else self._others.get(name, name)

    def _read(self, name: str, cell: str) -> Value | None:
        value = value_of(cell, self._decimal)
        if isinstance(value, str):
            return bounded(value)
        if value is not None:
            return value * unit_of_metric(name, self._units.get(name, "")).factor
        return value
