"""Warps sleep in nanosleep or yield in a spin loop.

Why it matters
    A sleeping warp holds its registers and slots and does nothing.

When it fires
    Sleeping takes at least the threshold of the waiting outside barriers: a warp at a barrier waits for the one that
    sleeps.

When it stays quiet
    Back-off in a rarely taken path.

What to try
    Shorter sleeps, fewer polling warps, or synchronisation by hardware barriers (mbarrier) instead of polling.
"""

from ncuanalyze.analysis.gain import Effect
from ncuanalyze.diagnosis import Confidence, Evidence
from ncuanalyze.rule import Flagged, Limits, Outcome, Reading, Rule

from ._waiting import asleep, much_waiting


def check(kernel: Reading, limits: Limits) -> Outcome:
    """Weigh these stalls against the waiting outside barriers, where schedulers have nothing to issue."""
    share = much_waiting(kernel, "warps sleeping", limits["stall_pct"], asleep(kernel))
    if not isinstance(share, Evidence):
        return share
    behind = kernel.analysis.stall_share("barrier")
    own = kernel.analysis.stall_share("sleeping", "long_scoreboard")
    return Flagged(
        message=f"{share.value:.3g}% of the waiting {'outside barriers ' if behind > own else ''}is sleep.",
        because=(share,),
        effect=Effect(exposed=max(own, behind * asleep(kernel)), latency=True, reached=1.0),
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
