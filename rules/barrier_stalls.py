"""Warps wait for the slowest warp of their block at __syncthreads.

Why it matters
    While most warps of a block wait, only the last one issues.

When it fires
    Barrier waits take at least the threshold of all waiting and schedulers have nothing to issue.

When it stays quiet
    Kernels at a roof: waiting costs nothing there.

What to try
    Even work between the warps, fewer barriers, smaller blocks, named barriers or warp-level synchronisation.
"""

from ncuanalyze.analysis.gain import Effect
from ncuanalyze.diagnosis import Confidence, at_least
from ncuanalyze.rule import Clear, Flagged, Limits, NotApplicable, Outcome, Reading, Rule

REASONS = ("barrier",)


def check(kernel: Reading, limits: Limits) -> Outcome:
    """Weigh these stalls against all waiting, where schedulers have nothing to issue."""
    stalls = kernel.analysis.stalls
    if stalls is None or not stalls.matter:
        return NotApplicable("the schedulers issue nearly every cycle")
    hidden = kernel.analysis.stall_share(*REASONS)
    share = at_least("warps waiting at a barrier", "share of warp states", 100 * hidden, limits["stall_pct"], "%")
    if not share.holds:
        return Clear(because=(share,))
    return Flagged(
        message=f"{share.value:.3g}% of the waiting is at block barriers.",
        because=(share,),
        effect=Effect(exposed=hidden, latency=True),
        advice=(
            "CUDA: give every warp the same work between barriers; use __syncwarp or cooperative groups where a warp "
            "suffices.",
            "CUDA: smaller blocks, so that another block can run while one waits; double-buffer to drop one barrier "
            "of two.",
            "Triton: fewer reductions across warps (num_warps=1-4 for short rows), or several rows a program.",
        ),
        confidence=Confidence.HIGH,
        resource="latency",
        counter="barrier_samples",
    )


RULE = Rule(
    id="barrier_stalls",
    title="Warps wait at block barriers",
    limits=("stall_pct",),
    needs_stalls=True,
    check=check,
)
