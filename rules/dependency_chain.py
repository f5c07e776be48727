"""Each instruction waits for the one before it, and there are too few warps to fill the gaps.

Why it matters
    An arithmetic result takes about four cycles, a special function or a shared load twenty and more; one warp alone
    issues once in that time.

When it fires
    Fixed-latency waits dominate, schedulers have nothing to issue, and few warps are resident.

When it stays quiet
    Kernels at a roof, and kernels that wait for global memory.

What to try
    Independent chains in one thread (several accumulators, unrolling), or more warps.
"""

from ncuanalyze import metrics as m
from ncuanalyze.analysis.gain import Effect
from ncuanalyze.diagnosis import Evidence, below
from ncuanalyze.rule import Clear, Flagged, Limits, Outcome, Reading, Rule

from ._waiting import waiting_for

REASONS = ("wait", "short_scoreboard", "branch_resolving")


def check(kernel: Reading, limits: Limits) -> Outcome:
    """Weigh waits on the previous instruction, and count the warps that could fill them."""
    share = waiting_for(kernel, "waiting for the previous instruction", limits["stall_pct"], *REASONS)
    if not isinstance(share, Evidence):
        return share
    warps = below(
        "resident warps per scheduler",
        m.ACTIVE_WARPS.name,
        kernel.value(m.ACTIVE_WARPS),
        limits["warps"],
        "warp",
    )
    if not warps.holds:
        return Clear(because=(share, warps))
    return Flagged(
        message=(
            f"{share.value:.3g}% of the waiting is for the previous instruction, with {warps.value:.3g} warps a"
            " scheduler to fill it."
        ),
        because=(share, warps),
        effect=Effect(exposed=kernel.analysis.stall_share(*REASONS), latency=True),
        advice=(
            "CUDA: break the chain into four independent accumulators and combine them at the end; unroll the loop.",
            "CUDA: more threads for the same work (also raises occupancy).",
            "Triton: a wider tile a program, so that each thread holds several independent elements; fewer num_warps.",
        ),
        resource="latency",
        counter="wait_samples",
    )


RULE = Rule(
    id="dependency_chain",
    title="Dependent instructions",
    requires=(m.ACTIVE_WARPS,),
    limits=("stall_pct", "warps"),
    needs_stalls=True,
    check=check,
)
