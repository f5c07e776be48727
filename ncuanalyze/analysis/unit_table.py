"""Which unit each Speed Of Light counter stands for, and what that unit sustains in practice (``units.toml``)."""

from __future__ import annotations

from functools import cache

from ncuanalyze.data import table
from ncuanalyze.record import record


@record
class UnitCounter:
    """One counter. ``side``: ``sm``, ``memory`` or ``own``; ``sustained_pct`` of its peak, with its source."""

    name: str
    unit: str
    side: str
    sustained_pct: float
    measured: bool
    source: str


@cache
def unit_counters() -> tuple[UnitCounter, ...]:
    """Every counter of the table, in the file's order."""
    return tuple(_counter(name, entry) for name, entry in table("analysis", "units")["counter"].items())


def counter_without_unit(name: str, side: str) -> UnitCounter:
    """A throughput that the report does not break down: its unit is not known and its name is an empty text."""
    return _counter(name, {"unit": "", "side": side})


def _counter(name: str, entry: dict[str, str | float]) -> UnitCounter:
    units = table("analysis", "units")
    return UnitCounter(
        name=name,
        unit=str(entry["unit"]),
        side=str(entry["side"]),
        sustained_pct=float(entry.get("sustained_pct", units["default_sustained_pct"])),
        measured="sustained_pct" in entry,
        source=str(entry.get("source", units["default_source"])),
    )
