"""Resident warps, what limits them, and how the launch fills the GPU."""

from __future__ import annotations

from ncuanalyze import metrics as m
from ncuanalyze.analysis.reading import first_number
from ncuanalyze.diagnosis import Occupancy
from ncuanalyze.profile import KernelLaunch, Workload

_LIMITS = {
    "blocks": m.LIMIT_BLOCKS,
    "registers": m.LIMIT_REGISTERS,
    "shared_memory": m.LIMIT_SHARED,
    "warps": m.LIMIT_WARPS,
    "barriers": m.LIMIT_BARRIERS,
}


def occupancy_of(launch: KernelLaunch) -> Occupancy | None:
    """Occupancy of one launch; None for a result without any occupancy metric.

    A range or a graph holds several launches: of their configurations only the achieved occupancy is a value.
    """
    if launch.workload is not Workload.KERNEL:
        return _achieved(launch)
    limits = {name: value for name, ref in _LIMITS.items() if (value := first_number(launch, ref)) is not None}
    theoretical = first_number(launch, m.THEORETICAL_OCCUPANCY)
    achieved = first_number(launch, m.ACHIEVED_OCCUPANCY)
    if not limits and theoretical is None and achieved is None:
        return None
    return Occupancy(
        theoretical_pct=theoretical,
        achieved_pct=achieved,
        limiters=_limiters(limits),
        limits=limits or None,
        registers_per_thread=first_number(launch, m.REGISTERS),
        shared_bytes_per_block=first_number(launch, m.SHARED_BYTES),
        threads_per_block=first_number(launch, m.BLOCK_SIZE),
        waves_per_sm=first_number(launch, m.WAVES),
        active_warps_per_scheduler=first_number(launch, m.ACTIVE_WARPS),
        eligible_warps_per_scheduler=first_number(launch, m.ELIGIBLE_WARPS),
    )


def _achieved(launch: KernelLaunch) -> Occupancy | None:
    achieved = first_number(launch, m.ACHIEVED_OCCUPANCY)
    if achieved is None:
        return None
    return Occupancy(
        theoretical_pct=None,
        achieved_pct=achieved,
        active_warps_per_scheduler=first_number(launch, m.ACTIVE_WARPS),
        eligible_warps_per_scheduler=first_number(launch, m.ELIGIBLE_WARPS),
    )


def _limiters(limits: dict[str, float]) -> tuple[str, ...]:
    """The resources that allow the fewest blocks; ``warps`` alone means that nothing but the SM's size limits."""
    if not limits:
        return ()
    least = min(limits.values())
    return tuple(name for name, value in limits.items() if value == least)
