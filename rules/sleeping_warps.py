"""Warps sleep in nanosleep or yield in a spin loop.

Why it matters
    A sleeping warp holds its registers and slots and does nothing.

When it fires
    Sleeping takes at least the threshold of all waiting.

When it stays quiet
    Back-off in a rarely taken path.

What to try
    Shorter sleeps, fewer polling warps, or synchronisation by hardware barriers (mbarrier) instead of polling.
"""

from ncuanalyze.analysis.gain import Effect
from ncuanalyze.diagnosis import Confidence, at_least
from ncuanalyze.rule import Clear, Flagged, Limits, NotApplicable, Outcome, Reading, Rule

REASONS = ("sleeping",)


def check(kernel: Reading, limits: Limits) -> Outcome:
    """Weigh these stalls against all waiting, where schedulers have nothing to issue."""
    stalls = kernel.analysis.stalls
    if stalls is None or not stalls.matter:
        return NotApplicable("the schedulers issue nearly every cycle")
    hidden = kernel.analysis.stall_share(*REASONS)
    share = at_least("warps sleeping", "share of warp states", 100 * hidden, limits["stall_pct"], "%")
    if not share.holds:
        return Clear(because=(share,))
    return Flagged(
        message=f"{share.value:.3g}% of the waiting is sleep.",
        because=(share,),
        effect=Effect(exposed=hidden, latency=True),
        advice=(
            "CUDA: shorten __nanosleep, let one thread poll, or wait on cuda::barrier (mbarrier try_wait).",
            "Order the work so that what is polled for is ready: stream dependencies, a second kernel.",
        ),
        confidence=Confidence.HIGH,
        resource="latency",
        counter="sleeping_samples",
    )


RULE = Rule(
    id="sleeping_warps",
    title="Warps sleep",
    limits=("stall_pct",),
    needs_stalls=True,
    check=check,
)
