"""The time of all matched kernels, each kernel's part in its change, and the verdict on the whole."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from ncuanalyze.compare.comparison import KernelComparison, KernelSide, Total, Verdict
from ncuanalyze.compare.verdict import change_pct, signed_pct

Times = tuple[float, float]


def total_of(
    kernels: Sequence[KernelComparison], vanished: Sequence[KernelSide], appeared: Sequence[KernelSide]
) -> Total:
    """Sums over launches, scaled where one side launched every kernel by one factor more often."""
    scale, note = _scale(kernels)
    pairs = [times for kernel in kernels if (times := _times(kernel, scale)) is not None]
    base, new = math.fsum(old for old, _ in pairs), math.fsum(fresh for _, fresh in pairs)
    lone_base, lone_new = (math.fsum(side.total_ns or 0.0 for side in sides) for sides in (vanished, appeared))
    change = change_pct(base, new) if pairs else None
    return Total(
        matched=len(kernels),
        base_ns=base,
        new_ns=new,
        change_pct=change,
        speedup=base / new if pairs and new > 0 and base > 0 else None,
        all_base_ns=base + lone_base,
        all_new_ns=new + lone_new * scale,
        note=note,
    )


def with_shares(kernels: Sequence[KernelComparison], total: Total) -> tuple[KernelComparison, ...]:
    """Each kernel with its shares of both totals and its part in the change; the largest part first."""
    scale, _ = _scale(kernels)
    shared = [_with_share(kernel, total, scale) for kernel in kernels]
    return tuple(sorted(shared, key=lambda kernel: -_moved_ns(kernel, scale)))


def total_verdict(kernels: Sequence[KernelComparison], total: Total) -> tuple[Verdict, str, float]:
    """The verdict on the sum, its reason, and the change that counts (thresholds weighted by time).

    The sum is inconclusive where kernels that cannot be told make up more of it than the change that counts.
    """
    if not kernels or total.change_pct is None:
        return Verdict.INCONCLUSIVE, "no kernel could be compared", 0.0
    weights = [(kernel, kernel.base_share_pct or 0.0) for kernel in kernels]
    limit = math.fsum(kernel.threshold_pct * share for kernel, share in weights) / 100.0
    unclear = math.fsum(share for kernel, share in weights if kernel.verdict is Verdict.INCONCLUSIVE)
    if unclear > limit:
        return Verdict.INCONCLUSIVE, f"kernels with {unclear:.0f}% of the time cannot be told", limit
    if abs(total.change_pct) <= limit:
        return (
            Verdict.SAME,
            f"{signed_pct(total.change_pct)} over all matched kernels is within {limit:.1f}%",
            limit,
        )
    verdict = Verdict.FASTER if total.change_pct < 0 else Verdict.SLOWER
    return verdict, f"{signed_pct(total.change_pct)} over all matched kernels", limit


def _scale(kernels: Sequence[KernelComparison]) -> tuple[float, str]:
    """The factor that brings the new side to the base's launches, where all kernels have one."""
    ratios = {kernel.base.launches_per_run / kernel.new.launches_per_run for kernel in kernels}
    if ratios == {1.0} or not ratios:
        return 1.0, ""
    if len(ratios) == 1:
        factor = ratios.pop()
        return (
            factor,
            f"times of the new side are scaled by {factor:.3g}: it holds that many fewer or more launches",
        )
    return 1.0, "some kernels were launched more often on one side: the totals hold all launches"


def _times(kernel: KernelComparison, scale: float) -> Times | None:
    if kernel.base.total_ns is None or kernel.new.total_ns is None:
        return None
    return kernel.base.total_ns, kernel.new.total_ns * scale


def _moved_ns(kernel: KernelComparison, scale: float) -> float:
    times = _times(kernel, scale)
    return abs(times[1] - times[0]) if times else -1.0


def _with_share(kernel: KernelComparison, total: Total, scale: float) -> KernelComparison:
    times = _times(kernel, scale)
    if times is None:
        return kernel
    delta = total.new_ns - total.base_ns
    return replace(
        kernel,
        base_share_pct=100.0 * times[0] / total.base_ns if total.base_ns > 0 else None,
        new_share_pct=100.0 * times[1] / total.new_ns if total.new_ns > 0 else None,
        contribution_pct=100.0 * (times[1] - times[0]) / delta if delta else None,
    )
