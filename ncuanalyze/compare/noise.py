"""The numbers that decide a comparison, read from ``noise.toml``."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, fields
from functools import cache
from importlib.resources import files


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
    tables = tomllib.loads(files("ncuanalyze.compare").joinpath("noise.toml").read_text(encoding="utf-8"))
    return Noise(**{item.name: float(tables[item.name]["value"]) for item in fields(Noise)})
