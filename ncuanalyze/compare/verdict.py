"""Faster, slower, the same, or not to be told: from the distributions of both sides."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ncuanalyze.compare.comparison import Spread, Verdict
from ncuanalyze.compare.noise import Noise
from ncuanalyze.compare.spread import single_launch_pct, spread


@dataclass(frozen=True, kw_only=True)
class Judgement:
    """A verdict, its reason, and the change that would have counted."""

    verdict: Verdict
    reason: str
    threshold_pct: float


def change_pct(base: float | None, new: float | None) -> float | None:
    """New over base minus one, in %; None where either is missing or the base is zero."""
    if base is None or new is None or base <= 0:
        return None
    return 100.0 * (new - base) / base


def effective_threshold_pct(base: Spread, new: Spread, threshold_pct: float, noise: Noise) -> float:
    """The change that counts: the threshold, widened by the noise of a launch that was not repeated.

    The noise figure is that of a difference of two single launches; one repeated side leaves a share of it.
    """
    if min(base.samples, new.samples) > 1:
        return threshold_pct
    shortest = min(base.median_ns, new.median_ns)
    return threshold_pct + single_launch_pct(shortest, noise) * math.sqrt((1 / base.samples + 1 / new.samples) / 2)


def judge(base: Spread | None, new: Spread | None, threshold_pct: float, noise: Noise) -> Judgement:
    """The verdict on time: medians apart by more than the threshold, and intervals without overlap."""
    if base is None or new is None or base.median_ns <= 0 or new.median_ns <= 0:
        side = "base" if base is None or base.median_ns <= 0 else "new"
        return Judgement(
            verdict=Verdict.INCONCLUSIVE,
            reason=f"the {side} side has no duration above zero",
            threshold_pct=threshold_pct,
        )
    limit = effective_threshold_pct(base, new, threshold_pct, noise)
    change = 100.0 * (new.median_ns - base.median_ns) / base.median_ns
    verdict, reason = _judge_known(base, new, change, limit, noise)
    return Judgement(verdict=verdict, reason=reason, threshold_pct=limit)


def judge_in_pairs(base: Sequence[float], new: Sequence[float], threshold_pct: float, noise: Noise) -> Judgement | None:
    """The verdict launch by launch, where both sides launched the kernel equally often and every pair agrees.

    Launches of one kernel in one program often do different amounts of work; the ratio of the i-th launches
    takes that out. None where the pairs do not decide.
    """
    if len(base) != len(new) or len(base) < noise.paired_launches or min((*base, *new)) <= 0:
        return None
    ratios = spread([fresh / old for old, fresh in zip(base, new, strict=True)], noise)
    change = 100.0 * (ratios.median_ns - 1.0)
    if abs(change) <= threshold_pct or ratios.low_ns <= 1.0 <= ratios.high_ns:
        return None
    verdict = Verdict.FASTER if change < 0 else Verdict.SLOWER
    between = f"{ratios.low_ns:.3f} to {ratios.high_ns:.3f} of the base's time"
    reason = f"{signed_pct(change)} launch by launch over {len(base)} launches ({between})"
    return Judgement(verdict=verdict, reason=reason, threshold_pct=threshold_pct)


def signed_pct(change: float) -> str:
    """A change with its sign: ``+3.2%``, ``−18.0%``."""
    return f"{change:+.1f}%".replace("-", "\N{MINUS SIGN}")


def direction(change: float, threshold_pct: float) -> Verdict:
    """Which way a change beyond the threshold goes; ``same`` within it."""
    if abs(change) <= threshold_pct:
        return Verdict.SAME
    return Verdict.FASTER if change < 0 else Verdict.SLOWER


def _judge_known(base: Spread, new: Spread, change: float, limit: float, noise: Noise) -> tuple[Verdict, str]:
    single = min(base.samples, new.samples) == 1
    bar = f"the {limit:.1f}% that one launch can show" if single else f"the threshold of {limit:.1f}%"
    overlap = base.low_ns <= new.high_ns and new.low_ns <= base.high_ns
    if abs(change) <= limit:
        resolvable = _resolvable_pct(base, new)
        if not single and resolvable > noise.spread_limit * limit:
            return (
                Verdict.INCONCLUSIVE,
                f"the launches spread by {resolvable:.0f}%, too far to see {limit:.1f}%",
            )
        return Verdict.SAME, f"{signed_pct(change)} is within {bar}"
    if overlap:
        return Verdict.INCONCLUSIVE, f"{signed_pct(change)}, but the two distributions overlap"
    return direction(change, limit), f"{signed_pct(change)} is beyond {bar}, and the distributions do not overlap"


def _resolvable_pct(base: Spread, new: Spread) -> float:
    """The half widths of both intervals, combined, in % of the median."""
    return 100.0 * math.hypot(*((side.high_ns - side.low_ns) / (2 * side.median_ns) for side in (base, new)))
