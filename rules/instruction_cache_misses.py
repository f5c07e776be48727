"""Warps wait for instructions to be fetched.

Why it matters
    Code larger than the instruction caches, or jumps over it, stalls every warp of the SM.

When it fires
    Fetch waits take at least the threshold of all waiting.

When it stays quiet
    Very short kernels, where every first fetch misses.

What to try
    Smaller code: less unrolling and inlining, fewer template branches in one kernel.
"""

from ncuanalyze.analysis.gain import Effect
from ncuanalyze.diagnosis import Confidence, at_least
from ncuanalyze.rule import Clear, Flagged, Limits, NotApplicable, Outcome, Reading, Rule

REASONS = ("no_instruction",)


def check(kernel: Reading, limits: Limits) -> Outcome:
    """Weigh these stalls against all waiting, where schedulers have nothing to issue."""
    stalls = kernel.analysis.stalls
    if stalls is None or not stalls.matter:
        return NotApplicable("the schedulers issue nearly every cycle")
    hidden = kernel.analysis.stall_share(*REASONS)
    share = at_least("warps waiting for instructions", "share of warp states", 100 * hidden, limits["stall_pct"], "%")
    if not share.holds:
        return Clear(because=(share,))
    return Flagged(
        message=f"{share.value:.3g}% of the waiting is for instructions.",
        because=(share,),
        effect=Effect(exposed=hidden, latency=True),
        advice=(
            "CUDA: limit #pragma unroll, mark rare paths __noinline__, split kernels by path.",
            "Triton: smaller tiles or fewer tl.static_range iterations.",
        ),
        confidence=Confidence.HIGH,
        resource="latency",
        counter="no_instruction_samples",
    )


RULE = Rule(
    id="instruction_cache_misses",
    title="Instruction cache misses",
    limits=("stall_pct",),
    needs_stalls=True,
    check=check,
)
