"""Warps wait for memory fences.

Why it matters
    A fence holds the warp until all its earlier writes are visible, through L2 or to the system.

When it fires
    Fence waits take at least the threshold of all waiting.

When it stays quiet
    A fence a block at the end of a reduction.

What to try
    Fewer and narrower fences: block scope, release/acquire atomics, or a second kernel.
"""

from ncuanalyze.analysis.gain import Effect
from ncuanalyze.diagnosis import Confidence, Evidence
from ncuanalyze.rule import Flagged, Limits, Outcome, Reading, Rule

from ._waiting import waiting_for


def check(kernel: Reading, limits: Limits) -> Outcome:
    """Weigh these stalls against all waiting, where schedulers have nothing to issue."""
    share = waiting_for(kernel, "warps waiting for a fence", limits["stall_pct"], "membar")
    if not isinstance(share, Evidence):
        return share
    return Flagged(
        message=f"{share.value:.3g}% of the waiting is for memory fences.",
        because=(share,),
        effect=Effect(exposed=share.value / 100, latency=True, reached=1.0),
        advice=(
            "CUDA: __threadfence_block instead of __threadfence; cuda::atomic_ref with the narrowest scope and "
            "release/acquire order.",
            "CUDA: one fence after a batch of writes, not one a write; end the kernel instead of a grid-wide fence.",
            'Triton: tl.atomic_* with sem="relaxed" or scope="cta" where order is not needed.',
        ),
        confidence=Confidence.HIGH,
        resource="latency",
        counter="membar_samples",
    )


RULE = Rule(
    id="fence_stalls",
    title="Memory fences stall the warps",
    limits=("stall_pct",),
    needs_stalls=True,
    check=check,
)
