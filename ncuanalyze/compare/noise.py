"""The numbers that decide a comparison, read from ``noise.toml``."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cache

from ncuanalyze.data import table


@dataclass(frozen=True, kw_only=True)
class Noise:
    """Each field is the ``value`` of the table of the same name."""

    threshold_pct: float
    single_launch_pct: float
    timer_tick_ns: float
    clock_apart_pct: float
    steady_state_ns: float
    spread_limit: float
    paired_launches: float
    finding_grown_ratio: float
    moved_ratio: float
    idle_pct: float
    mostly_pct: float


@cache
def noise() -> Noise:
    """The shipped numbers."""
    tables = table("compare", "noise")
    return Noise(**{item.name: float(tables[item.name]["value"]) for item in fields(Noise)})
