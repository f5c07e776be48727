"""Which unit each Speed Of Light counter stands for, and what that unit sustains in practice (``units.toml``)."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources

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
    text = resources.files("ncuanalyze.analysis").joinpath("units.toml").read_text(encoding="utf-8")
    table = tomllib.loads(text)
    return tuple(_counter(name, entry, table) for name, entry in table["counter"].items())


def _counter(name: str, entry: dict[str, str | float], table: dict[str, str | float]) -> UnitCounter:
    return UnitCounter(
        name=name,
        unit=str(entry["unit"]),
        side=str(entry["side"]),
        sustained_pct=float(entry.get("sustained_pct", table["default_sustained_pct"])),
        measured="sustained_pct" in entry,
        source=str(entry.get("source", table["default_source"])),
    )
