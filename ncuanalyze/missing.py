"""What a report does not hold, and the ncu option that collects it."""

from __future__ import annotations

from collections.abc import Sequence

from ncuanalyze import metrics as m
from ncuanalyze.analysis.kernel import KernelAnalysis
from ncuanalyze.diagnosis import Missing
from ncuanalyze.profile import Workload


def missing_of(analysis: KernelAnalysis, from_rules: Sequence[Missing]) -> tuple[Missing, ...]:
    """The analyses that are absent, then what the rules lacked; one entry a missing thing."""
    own = [item for ask in (_sol, _unit, _stalls, _occupancy, _dram) if (item := ask(analysis)) is not None]
    return (*own, *(item for item in from_rules if item.collect not in {o.collect for o in own}))


def _sol(analysis: KernelAnalysis) -> Missing | None:
    if analysis.units.sm_pct is not None and analysis.units.memory_pct is not None:
        return None
    if analysis.launch.failed:
        return Missing(what="speed of light", reason="the launch failed")
    return Missing(what="speed of light", reason="not collected", collect="--section SpeedOfLight")


def _unit(analysis: KernelAnalysis) -> Missing | None:
    if not any(load.unit == "" for load in analysis.loads):
        return None
    pascal = (analysis.launch.device.compute_capability or (9, 0)) < (7, 0)
    return Missing(
        what="the unit behind the throughput",
        reason="this GPU has no breakdown of it" if pascal else "no counter of the breakdown reads as much",
        collect="" if pascal else "--page raw",
    )


def _stalls(analysis: KernelAnalysis) -> Missing | None:
    if analysis.stalls is not None or analysis.launch.failed:
        return None
    return Missing(
        what="stall reasons",
        reason="not collected",
        collect="--section WarpStateStats --section SchedulerStats",
    )


def _occupancy(analysis: KernelAnalysis) -> Missing | None:
    if analysis.occupancy is not None or analysis.launch.failed:
        return None
    if analysis.launch.workload is not Workload.KERNEL:
        return Missing(what="occupancy", reason=f"a {analysis.launch.workload} has no launch of its own")
    return Missing(what="occupancy", reason="not collected", collect="--section Occupancy --section LaunchStats")


def _dram(analysis: KernelAnalysis) -> Missing | None:
    if analysis.launch.failed or analysis.number(m.DRAM_BYTES) is not None:
        return None
    if analysis.launch.device.compute_capability in ((7, 2), (8, 7)):
        return Missing(what="DRAM traffic", reason="this chip has no dram counters")
    if analysis.number(m.DRAM_READ_BYTES) is not None or analysis.number(m.DRAM_BYTES_PER_S) is not None:
        return None
    return Missing(what="DRAM bytes", reason="not collected", collect="--section MemoryWorkloadAnalysis")
