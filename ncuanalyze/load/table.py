"""One export as rows and columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

IDENTITY = frozenset(
    {"ID", "Process ID", "Process Name", "Host Name", "Kernel Name", "Kernel Time", "Context", "Stream"}
    | {"Block Size", "Grid Size", "Device", "CC", "NVTX Range", "Range Name"}
)
ID, KERNEL, METRIC, VALUE, AVERAGE = "ID", "Kernel Name", "Metric Name", "Metric Value", "Average"
INVOCATIONS = "Invocations"


@dataclass(kw_only=True)
class Table:
    """One export: its header, its units row (raw page only) and its rows; a row may end before the header.

    ``labels``: every metric of a details page. ``bare_rows``: rows of a raw page that has no column for a metric.
    ``texts``: the cells of a details page, most of which come again and again, once.
    """

    header: list[str]
    units: list[str] = field(default_factory=list)
    rows: list[list[str]] = field(default_factory=list)
    cut_rows: int = 0
    bare_rows: int = 0
    labels: set[str] = field(default_factory=set)
    texts: dict[str, str] = field(default_factory=dict)

    @property
    def is_details(self) -> bool:
        """Whether a row holds one metric, as on the details page."""
        return METRIC in self.places

    @property
    def is_summary(self) -> bool:
        """Whether a row holds minimum, maximum and average of many launches."""
        return self.is_details and AVERAGE in self.places

    @cached_property
    def places(self) -> dict[str, int]:
        """Where each column stands; of two columns with one name, the first."""
        places: dict[str, int] = {}
        for at, name in enumerate(self.header):
            places.setdefault(name, at)
        return places

    @cached_property
    def metric_columns(self) -> Sequence[int]:
        """Where the metrics of a raw page stand."""
        return [at for at, name in enumerate(self.header) if name and not is_identity(name)]

    def records(self) -> Iterator[Record]:
        """The rows by column name; a row that ends early lacks its last columns."""
        return (Record(self.places, row) for row in self.rows)


class Record(Mapping[str, str]):
    """One row by column name, without a copy of it. ``places`` are in ascending order."""

    __slots__ = ("_places", "_row")

    def __init__(self, places: dict[str, int], row: Sequence[str]) -> None:
        self._places = places
        self._row = row

    def __getitem__(self, name: str) -> str:
        at = self._places[name]
        if at >= len(self._row):
            raise KeyError(name)
        return self._row[at]

    def get(self, name: str, default: Any = None) -> Any:
        """As a dict has it; the one of Mapping raises and catches where a column is missing."""
        at = self._places.get(name, len(self._row))
        return self._row[at] if at < len(self._row) else default

    def __contains__(self, name: object) -> bool:
        return self._places.get(name, len(self._row)) < len(self._row)  # type: ignore[call-overload, no-any-return]

    def __iter__(self) -> Iterator[str]:
        if self._is_whole():
            return iter(self._places)
        return (name for name, at in self._places.items() if at < len(self._row))

    def __len__(self) -> int:
        return len(self._places) if self._is_whole() else sum(1 for _ in self)

    def _is_whole(self) -> bool:
        return next(reversed(self._places.values()), -1) < len(self._row)


def is_identity(column: str) -> bool:
    """Whether a column of the raw page says which launch it is, or in which range."""
    return column in IDENTITY or "Domain:" in column
