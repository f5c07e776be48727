"""Empirical ceilings: what saturating kernels reach of each roof, as a share that follows the clock."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ncuanalyze.diagnosis.measured import Roof


@dataclass(frozen=True, kw_only=True)
class Ceiling:
    """The best that any kernel reached of one roof. ``pct_of_roof`` is 0-100."""

    roof: str
    pct_of_roof: float
    per_s: float
    kernel: str
    report: str
    clock_hz: float | None = None


@dataclass(frozen=True, kw_only=True)
class Ceilings:
    """Sustained values of one GPU, and where they come from."""

    device: str
    ceilings: tuple[Ceiling, ...]

    def beside(self, roofs: Sequence[Roof]) -> tuple[Roof, ...]:
        """The roofs, each with what was sustained of it at the roof's own clock, where known."""
        known = {ceiling.roof: ceiling for ceiling in self.ceilings}
        return tuple(
            replace(roof, sustained_per_s=roof.per_s * known[roof.name].pct_of_roof / 100)
            if roof.name in known
            else roof
            for roof in roofs
        )
