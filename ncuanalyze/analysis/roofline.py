"""The hierarchical roofline: memory and compute roofs, a point per level, the distance to the nearest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ncuanalyze.analysis.ceilings import Ceilings
from ncuanalyze.analysis.compute_roofs import compute_roofs, roof_name
from ncuanalyze.analysis.flop import flop_counts
from ncuanalyze.analysis.memory_roofs import Traffic, memory_traffic
from ncuanalyze.analysis.published_peaks import mismatches
from ncuanalyze.analysis.roofline_data import threshold
from ncuanalyze.analysis.tensor_flop import has_tensor_counters
from ncuanalyze.analysis.tensor_utilization import tensor_utilization
from ncuanalyze.diagnosis.measured import FlopCount, Roof, Roofline, RooflinePoint
from ncuanalyze.profile import KernelLaunch

SHARED_PIPE = "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum.pct_of_peak_sustained_elapsed"


def roofline_of(
    launch: KernelLaunch,
    counts: tuple[FlopCount, ...] | None = None,
    *,
    ceilings: Ceilings | None = None,
    algorithmic_flop: float | None = None,
    algorithmic_bytes: float | None = None,
) -> Roofline | None:
    """The roofline of one launch from its own peaks; None where it holds neither traffic nor counted work.

    Rates are over the elapsed time. ``ceilings`` adds what saturating kernels reach; the algorithmic numbers
    are those of the operator the user named. ``counts`` saves counting the work twice.
    """
    counts, levels = flop_counts(launch) if counts is None else counts, memory_traffic(launch)
    used = _used(counts)
    roofs = (*_memory_roofs(levels), *compute_roofs(launch, used))
    if not counts and all(level.pct is None for level in levels):
        return None
    if ceilings is not None:
        roofs = ceilings.beside(roofs)
    points = tuple(_points(used, levels))
    name, pct = _nearest(counts, levels)
    return Roofline(
        roofs=roofs,
        points=points,
        flops=counts,
        nearest_roof=name,
        nearest_roof_pct=pct,
        algorithmic_flop=algorithmic_flop,
        algorithmic_bytes=algorithmic_bytes,
        notes=tuple(_notes(launch, counts, levels, pct)) + tuple(mismatches(launch, roofs)),
    )


def _used(counts: Sequence[FlopCount]) -> tuple[FlopCount, ...]:
    """The precisions that matter: near the busiest by utilization, or without a known peak."""
    busiest = max((count.utilization_pct or 0.0 for count in counts), default=0.0)
    least = threshold("used_share") * busiest
    return tuple(count for count in counts if count.utilization_pct is None or count.utilization_pct >= least)


def _memory_roofs(levels: Sequence[Traffic]) -> tuple[Roof, ...]:
    return tuple(
        Roof(
            name=level.name,
            kind="memory",
            level=level.level,
            per_s=level.peak.per_s,
            formula=level.peak.formula,
            counters=level.peak.counters,
            clock_hz=level.peak.clock_hz,
            achieved_per_s=level.bytes_per_s,
        )
        for level in levels
        if level.peak
    )


def _points(used: Sequence[FlopCount], levels: Sequence[Traffic]) -> Iterator[RooflinePoint]:
    passed = _passed_levels(levels)
    for count in used:
        for level in levels if count is used[0] else levels[:1]:
            if level.bytes and count.flop_per_s and level.level not in passed:
                yield _point(count, level, level.bytes, count.flop_per_s)


def _point(count: FlopCount, level: Traffic, moved: float, flop_per_s: float) -> RooflinePoint:
    limit = threshold("above_roof") * 100
    return RooflinePoint(
        name=f"{roof_name(count)} at {level.name}",
        level=level.level,
        precision=count.precision,
        flop=count.flop,
        bytes=moved,
        intensity=count.flop / moved,
        flop_per_s=flop_per_s,
        above_roof=(level.pct or 0.0) > limit or (count.utilization_pct or 0.0) > limit,
    )


def _passed_levels(levels: Sequence[Traffic]) -> frozenset[str]:
    """Levels that data goes past: almost no traffic beside the level below (TMA, async copies skip L1)."""
    by_level = {level.level: level.bytes or 0.0 for level in levels}
    share = threshold("negligible_traffic")
    return frozenset({"l1"} if 0 < by_level.get("l1", 0.0) < share * by_level.get("l2", 0.0) else ())


def _nearest(counts: Sequence[FlopCount], levels: Sequence[Traffic]) -> tuple[str, float | None]:
    loads = [(level.pct, level.name) for level in levels if level.pct is not None]
    loads += [
        (count.utilization_pct, roof_name(count)) for count in counts if count.utilization_pct is not None
    ]
    believable = [load for load in loads if load[0] <= threshold("unreliable_pct")]
    pct, name = max(believable or loads, default=(None, ""))
    return name, pct


def why_missing(launch: KernelLaunch) -> tuple[str, ...]:
    """What a report lacks for a full roofline, and the option that collects it."""
    return tuple(level.missing for level in memory_traffic(launch) if level.missing)


def _notes(
    launch: KernelLaunch, counts: Sequence[FlopCount], levels: Sequence[Traffic], nearest_pct: float | None
) -> Iterator[str]:
    yield from (level.missing for level in levels if level.missing)
    yield from (
        f"{level.name} reads {level.pct:.0f} % of its roof: the counters come from different passes"
        for level in levels
        if level.pct is not None and level.pct > 100 * threshold("above_roof")
    )
    if "l1" in _passed_levels(levels):
        yield "loads go past L1 (TMA or asynchronous copies into shared memory): no point is drawn for it"
    yield from (f"{count.precision} tensor: {count.basis}" for count in counts if _lacks_share(count))
    shared = launch.number(SHARED_PIPE)
    if shared is not None and shared > (nearest_pct or 0.0):
        yield f"shared memory keeps its data pipe {shared:.0f} % busy, more than any roof drawn here"
    if not has_tensor_counters(launch):
        yield from _issue_rate_note(launch)


def _lacks_share(count: FlopCount) -> bool:
    return count.path == "tensor" and count.utilization_pct is None


def _issue_rate_note(launch: KernelLaunch) -> Iterator[str]:
    load = tensor_utilization(launch, ())
    if load is not None and load.path_pct > 0:
        yield (
            f"Tensor Cores: {load.path_pct:.1f} % by {load.metric}, an issue rate, not FLOP"
            " (sm__ops_path_tensor_* were not collected)"
        )
