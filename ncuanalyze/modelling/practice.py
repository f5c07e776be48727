"""What tuned kernels of an operator reach, and by what means."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from ncuanalyze.data import table

MEASURES = {
    "bandwidth": "of the memory bandwidth",
    "flop": "of the peak rate",
    "bound": "of what it can attain",
}


@dataclass(frozen=True, kw_only=True)
class Good:
    """What counts as good: ``pct`` (0-100) of ``measure``, or None where there is no usual figure."""

    measure: str
    pct: float | None
    source: str

    @property
    def text(self) -> str:
        """In words."""
        of = MEASURES[self.measure]
        return f"above {self.pct:g}% {of}" if self.pct else f"judged by its share {of}; no usual figure"


@dataclass(frozen=True, kw_only=True)
class Practice:
    """One entry of ``practice.toml``."""

    alone: str
    why: str
    levers: tuple[str, ...]
    good: tuple[dict[str, Any], ...]

    def good_for(self, *, bound: str, smallest_dimension: int | None) -> Good:
        """The figure for a bound (``memory`` or ``compute``) and the smallest dimension of the sizes."""
        for entry in self.good:
            if (smallest_dimension or 0) >= entry.get("from_dimension", 0):
                break
        by_side = {"memory": "bandwidth", "compute": "flop"}[bound]
        side = entry["measure"] == "side" or (entry["measure"] == "flop" and bound == "memory")
        return Good(
            measure=by_side if side else entry["measure"],
            pct=None if side else entry.get("pct"),
            source=entry["source"],
        )


@cache
def practice_of(name: str) -> Practice:
    """The entry of an operator's ``practice``."""
    entry = _table()[name]
    return Practice(alone=entry["alone"], why=entry["why"], levers=tuple(entry["levers"]), good=tuple(entry["good"]))


def limit(name: str) -> float:
    """A number of the ``[limits]`` table."""
    return float(_table()["limits"][name]["value"])


def _table() -> dict[str, Any]:
    return table("modelling", "practice")
