"""How busy each unit is: ncu's SM and memory throughput and the counters behind them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from ncuanalyze import metrics as m
from ncuanalyze.analysis.reading import first_number
from ncuanalyze.analysis.traffic import shared_wavefront_share
from ncuanalyze.analysis.unit_table import UnitCounter, counter_without_unit, unit_counters
from ncuanalyze.profile import KernelLaunch
from ncuanalyze.record import record

UNEXPLAINED_POINTS = 2.0
"""A throughput this far above every counter of its side comes from a unit that the report does not break down. Passes
of one kernel differ by less."""
COMPUTE_PIPES = ("fma", "alu", "fp64", "fp16", "tensor", "xu")


@record
class Load:
    """One resource: the share of the kernel's time it is busy, and the share it sustains in practice (0-1).

    ``unit`` is empty for a throughput whose unit the report does not name.
    """

    counter: UnitCounter
    busy: float
    unit: str

    @property
    def metric(self) -> str:
        """The full metric name."""
        return self.counter.name + m.PCT

    @property
    def sustained(self) -> float:
        """What the unit sustains, never below what it is measured at here (up to 1)."""
        return max(self.counter.sustained_pct / 100, min(self.busy, 1.0))


@record
class UnitLoads:
    """SM and memory throughput (percent, None where missing) and every resource load, busiest first."""

    sm_pct: float | None
    memory_pct: float | None
    loads: tuple[Load, ...]

    def busiest(self, *sides: str) -> Load | None:
        """The busiest resource of the given sides (default: of ``sm`` and ``memory``)."""
        wanted = sides or ("sm", "memory")
        return next((load for load in self.loads if load.counter.side in wanted), None)

    @property
    def measured(self) -> bool:
        """Whether both sides are known, so that a gain can be held against the next roof."""
        return self.busiest("sm") is not None and self.busiest("memory", "own") is not None

    def by_name(self) -> Mapping[str, Load]:
        """Counter name -> load."""
        return {load.counter.name: load for load in self.loads}

    def of_unit(self, unit: str) -> Load | None:
        """The busiest resource of one unit."""
        return next((load for load in self.loads if load.unit == unit), None)


def unit_loads(launch: KernelLaunch) -> UnitLoads:
    """Read the Speed Of Light counters of one launch; a counter that is missing or not finite is left out."""
    shared_share = shared_wavefront_share(launch) or 0.0
    loads = []
    for counter in unit_counters():
        pct = launch.number(counter.name + m.PCT)
        if pct is not None and math.isfinite(pct):
            loads.append(Load(counter=counter, busy=pct / 100, unit=_unit(counter, shared_share)))
    sm, memory = first_number(launch, m.SM_THROUGHPUT), first_number(launch, m.MEMORY_THROUGHPUT)
    loads += _unexplained(m.SM_THROUGHPUT, sm, [load for load in loads if load.counter.side == "sm"])
    loads += _unexplained(m.MEMORY_THROUGHPUT, memory, [load for load in loads if load.counter.side != "sm"])
    loads.sort(key=lambda load: -load.busy)
    return UnitLoads(sm_pct=sm, memory_pct=memory, loads=tuple(loads))


def _unexplained(ref: m.MetricRef, total_pct: float | None, known: Sequence[Load]) -> list[Load]:
    """The throughput itself as a resource, where no counter of its side reads as much (details pages, Pascal)."""
    busiest = max((100 * load.busy for load in known), default=-math.inf)
    if total_pct is None or busiest >= total_pct - UNEXPLAINED_POINTS:
        return []
    side = "sm" if ref is m.SM_THROUGHPUT else "memory"
    counter = counter_without_unit(ref.name.removesuffix(m.PCT), side)
    return [Load(counter=counter, busy=total_pct / 100, unit="")]


def _unit(counter: UnitCounter, shared_share: float) -> str:
    data_stage = counter.name in ("l1tex__data_pipe_lsu_wavefronts", "l1tex__lsu_writeback_active")
    return "shared" if data_stage and shared_share > 0.5 else counter.unit


def dominant_pipe(loads: Sequence[Load], share: float) -> Load | None:
    """The pipe that takes at least ``share`` of the issued instructions, where issue slots are the busiest."""
    issue = next((load for load in loads if load.counter.name == "sm__inst_executed"), None)
    pipes = [load for load in loads if load.unit in COMPUTE_PIPES]
    if issue is None or not pipes or issue.busy <= 0:
        return None
    return pipes[0] if pipes[0].busy >= share * issue.busy else None
