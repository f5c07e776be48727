"""What-if curves: occupancy over one resource, everything else as it is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from ncuanalyze.modelling.occupancy import BlockResources, TheoreticalOccupancy, occupancy
from ncuanalyze.modelling.sm_limits import SmLimits, sm_limits


@dataclass(frozen=True, kw_only=True)
class CurvePoint:
    """Occupancy at one value: registers a thread, bytes of shared memory a block, or threads a block."""

    value: int
    warps_per_sm: int
    theoretical_pct: float
    limiters: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class OccupancyCurve:
    """One resource varied. ``current`` is the launch's own value."""

    varied: str
    unit: str
    current: int
    points: tuple[CurvePoint, ...]

    def most_for(self, target_pct: float) -> CurvePoint | None:
        """The largest value that keeps at least this occupancy."""
        return max(
            (point for point in self.points if point.theoretical_pct >= target_pct),
            key=lambda point: point.value,
            default=None,
        )

    def steps(self) -> tuple[CurvePoint, ...]:
        """The last value of every level: the most one can use and keep that occupancy."""
        return tuple(
            point
            for point, following in zip(self.points, (*self.points[1:], None), strict=True)
            if following is None or following.warps_per_sm != point.warps_per_sm
        )


def what_if(compute_capability: tuple[int, int], block: BlockResources) -> tuple[OccupancyCurve, ...]:
    """The curves over registers, shared memory and block size, at full shared memory of the SM."""
    sm = sm_limits(compute_capability)
    free = replace(block, shared_capacity_bytes=None)
    ranges: tuple[tuple[str, str, int, Iterable[int]], ...] = (
        ("registers", "registers/thread", block.registers_per_thread, _register_values(sm)),
        ("shared", "byte/block", block.static_shared_bytes + block.dynamic_shared_bytes, _shared_values(sm)),
        ("threads", "threads/block", block.threads, range(32, sm.threads_per_block + 1, 32)),
    )
    return tuple(
        OccupancyCurve(
            varied=name,
            unit=unit,
            current=current,
            points=curve_points(compute_capability, free, name, values),
        )
        for name, unit, current, values in ranges
    )


def curve_points(
    compute_capability: tuple[int, int], block: BlockResources, varied: str, values: Iterable[int]
) -> tuple[CurvePoint, ...]:
    """Occupancy at each value of one resource (``registers``, ``shared``, ``threads`` or ``barriers``)."""
    return tuple(_point(value, occupancy(compute_capability, vary(block, varied, value))) for value in values)


def vary(block: BlockResources, varied: str, value: int) -> BlockResources:
    """The block with one resource replaced; shared memory is varied in its dynamic part."""
    if varied == "registers":
        return replace(block, registers_per_thread=value)
    if varied == "shared":
        static = min(block.static_shared_bytes, value)
        return replace(block, static_shared_bytes=static, dynamic_shared_bytes=value - static)
    return replace(block, threads=value) if varied == "threads" else replace(block, barriers=value)


def _point(value: int, result: TheoreticalOccupancy) -> CurvePoint:
    return CurvePoint(
        value=value,
        warps_per_sm=result.warps_per_sm,
        theoretical_pct=result.theoretical_pct,
        limiters=result.limiters,
    )


def _register_values(sm: SmLimits) -> Sequence[int]:
    unit = sm.register_unit_per_warp // sm.warp_threads
    return (*range(2 * unit, sm.registers_per_thread, unit), sm.registers_per_thread)


def _shared_values(sm: SmLimits) -> Sequence[int]:
    return (*range(0, sm.shared_bytes_per_block, 1024), sm.shared_bytes_per_block)
