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
from ncuanalyze.diagnosis import Confidence, Evidence
from ncuanalyze.rule import Flagged, Limits, Outcome, Reading, Rule

from ._waiting import waiting_for


def check(kernel: Reading, limits: Limits) -> Outcome:
    """Weigh these stalls against all waiting, where schedulers have nothing to issue."""
    share = waiting_for(kernel, "warps sleeping", limits["stall_pct"], "sleeping")
    if not isinstance(share, Evidence):
        return share
    return Flagged(
        message=f"{share.value:.3g}% of the waiting is sleep.",
        because=(share,),
        effect=Effect(exposed=kernel.analysis.stall_share("sleeping", "long_scoreboard"), latency=True),
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
