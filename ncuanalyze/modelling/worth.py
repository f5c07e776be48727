"""Is a kernel worth writing by hand? Against what runs today, or fused against unfused."""

from __future__ import annotations

from dataclasses import dataclass

from ncuanalyze.modelling.estimate import Estimate
from ncuanalyze.modelling.operators import find_operator
from ncuanalyze.modelling.practice import Practice, limit, practice_of
from ncuanalyze.modelling.wording import time_text


@dataclass(frozen=True, kw_only=True)
class Worth:
    """The verdict (``yes``, ``no`` or ``measure``), why, and the gain if it is known: old time / new time."""

    verdict: str
    reason: str
    gain: float | None = None
    current_pct: float | None = None


def worth_writing(estimate: Estimate, *, current_ns: float | None = None, fuse: bool = False) -> Worth:
    """Judge by the time of what runs today, by the unfused kernels, or by what libraries reach."""
    practice = practice_of(find_operator(estimate.operator).practice)
    if current_ns is not None:
        return _against_current(estimate, current_ns)
    if fuse:
        return _against_unfused(estimate)
    if estimate.floor_ns < limit("launch_ns"):
        return Worth(verdict="no", reason="its floor is below a kernel launch: fuse it or capture a CUDA graph")
    return _alone(estimate, practice)


def _against_current(estimate: Estimate, current_ns: float) -> Worth:
    share = 100 * estimate.floor_ns / current_ns
    if share > 100:
        return Worth(
            verdict="no",
            reason="it is faster than the floor: the sizes differ, or the data stays in L2 between runs",
            current_pct=share,
        )
    target_ns = estimate.good_ns or estimate.floor_ns
    gain = current_ns / target_ns
    if gain < limit("worthwhile_gain"):
        return Worth(
            verdict="no",
            reason=f"it runs at {share:.0f}% of its bound already; good is {estimate.good.text}",
            gain=max(gain, 1.0),
            current_pct=share,
        )
    return Worth(
        verdict="yes",
        reason=f"it runs at {share:.1f}% of its bound; a good kernel takes {time_text(target_ns)}",
        gain=gain,
        current_pct=share,
    )


def _against_unfused(estimate: Estimate) -> Worth:
    gain = _fusion_gain(estimate)
    if gain is None:
        return Worth(verdict="no", reason="it is one kernel already: there is nothing to fuse")
    verdict = "yes" if gain >= limit("worthwhile_gain") else "no"
    if estimate.fused_ns:
        reason = f"fused, it takes {time_text(estimate.fused_ns)} at least"
    else:
        saved = (estimate.unfused_bytes or estimate.bytes) / estimate.bytes
        slow = time_text(estimate.unfused_ns or estimate.floor_ns)
        reason = f"the unfused kernels move {saved:.1f}x the bytes and take {slow} at least"
    return Worth(verdict=verdict, reason=reason, gain=gain)


def _fusion_gain(estimate: Estimate) -> float | None:
    if estimate.fused_ns:
        return estimate.floor_ns / estimate.fused_ns
    return estimate.unfused_ns / estimate.floor_ns if estimate.unfused_ns else None


def _alone(estimate: Estimate, practice: Practice) -> Worth:
    if practice.alone == "fused":
        return Worth(verdict="yes", reason=practice.why, gain=_fusion_gain(estimate))
    return Worth(verdict=practice.alone, reason=practice.why)
