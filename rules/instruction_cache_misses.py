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
from ncuanalyze.diagnosis import Confidence, Evidence
from ncuanalyze.rule import Flagged, Limits, Outcome, Reading, Rule

from ._waiting import waiting_for


def check(kernel: Reading, limits: Limits) -> Outcome:
    """Weigh these stalls against all waiting, where schedulers have nothing to issue."""
    share = waiting_for(kernel, "warps waiting for instructions", limits["stall_pct"], "no_instruction")
    if not isinstance(share, Evidence):
        return share
    return Flagged(
        message=f"{share.value:.3g}% of the waiting is for instructions.",
        because=(share,),
        effect=Effect(exposed=share.value / 100, latency=True, reached=1.0),
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
