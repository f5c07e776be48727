"""The Tensor Cores wait for their operands.

Why it matters
    Operands must arrive while the previous tile is multiplied; without that overlap the pipe idles.

When it fires
    The kernel does its work on Tensor Cores, which are busy for less than the threshold, and DRAM is not the limit.

When it stays quiet
    Matrix products that DRAM limits (small batch, decode), and those near the tensor ceiling.

What to try
    A software pipeline of several stages, asynchronous copies (TMA), larger tiles, warp specialisation.
"""

from ncuanalyze import metrics as m
from ncuanalyze.analysis.gain import Effect
from ncuanalyze.diagnosis import Confidence, below
from ncuanalyze.rule import Clear, Flagged, Limits, NotApplicable, Outcome, Reading, Rule

RESHAPED = frozenset(("l1tex", "shared", "l2", "lsu", "issue", "alu", "fma", "xu"))
"""Units whose work depends on tile and pipeline, so that their present load is no roof for another tiling."""


def check(kernel: Reading, limits: Limits) -> Outcome:
    """Look at the tensor path's load against its own peak; what else the tiling loads is open."""
    tensor = kernel.analysis.tensor
    if tensor is None or tensor.is_issue_rate or tensor.path_pct < limits["least_pct"]:
        return NotApplicable("the Tensor Cores do not carry this kernel")
    busy = below("Tensor Cores busy", tensor.metric, tensor.total_pct, limits["busy_pct"], "%")
    if not busy.holds:
        return Clear(because=(busy,))
    waiting = kernel.analysis.stall_share(
        "long_scoreboard", "barrier", "short_scoreboard", "wait", "mio_throttle", "gmma"
    )
    return Flagged(
        message=f"The {tensor.precision} tensor path works {busy.value:.3g}% of the time and waits for the rest.",
        because=(busy, kernel.evidence("DRAM busy", m.DRAM_THROUGHPUT)),
        effect=Effect(ignores=RESHAPED, exposed=1.0 if waiting else 0.8, latency=True),
        advice=(
            "Triton: num_stages=3 or 4 (1 copies synchronously), BLOCK_K 64, num_warps=8 for 128x256 tiles.",
            "CUDA: multi-stage cp.async or TMA pipelines with mbarriers; producer and consumer warps.",
            "Larger tiles need fewer operand bytes a FLOP; check that nothing spills.",
        ),
        confidence=_confidence(kernel, limits),
        resource="tensor",
        counter="long_scoreboard_samples",
    )


def _confidence(kernel: Reading, limits: Limits) -> Confidence:
    """Spills starve the pipe too: where they are, they are the cause and this its symptom."""
    local, executed = kernel.total(m.LOCAL_LOADS, m.LOCAL_STORES), kernel.maybe(m.INSTRUCTIONS)
    spills = bool(executed) and 100 * local / (executed or 1.0) >= limits["spill_pct"]
    return Confidence.LOW if spills else Confidence.MEDIUM


RULE = Rule(
    id="tensor_pipe_starved",
    title="Tensor Cores wait for data",
    requires=(m.DRAM_THROUGHPUT,),
    optional=(m.LOCAL_LOADS, m.LOCAL_STORES, m.INSTRUCTIONS),
    limits=("least_pct", "busy_pct", "spill_pct"),
    check=check,
)
