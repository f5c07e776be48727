"""The kernel uses the older, slower Tensor Core instructions of its GPU.

Why it matters
    On Hopper mma.sync (HMMA, IMMA) peaks at two thirds of the warp-group instructions (wgmma) at most; on
    data-centre Blackwell only tcgen05 reaches the full rate.

When it fires
    The tensor work runs on a path whose peak is below the chip's best for that precision.

When it stays quiet
    Chips where there is one path, and kernels with little tensor work.

What to try
    Current cuBLAS, CUTLASS 3 (wgmma, TMA) or Triton: their warp-group tiles use the faster path.
"""

from ncuanalyze.analysis.gain import Effect
from ncuanalyze.diagnosis import Confidence, at_least, below
from ncuanalyze.rule import Clear, Flagged, Limits, NotApplicable, Outcome, Reading, Rule


def check(kernel: Reading, limits: Limits) -> Outcome:
    """Compare the peak of the path used with the chip's best for the precision."""
    tensor = kernel.analysis.tensor
    if tensor is None or tensor.is_issue_rate or tensor.path_pct <= 0:
        return NotApplicable("no tensor work was counted by path")
    ratio = below(
        "peak of the path used over the chip's best",
        tensor.metric,
        100 * tensor.best_pct / tensor.path_pct,
        limits["peak_ratio_pct"],
        "%",
    )
    used = at_least("tensor path busy", tensor.metric, tensor.path_pct, limits["path_pct"], "%")
    if not (ratio.holds and used.holds):
        return Clear(because=(ratio, used))
    return Flagged(
        message=(
            f"{tensor.precision} work runs on {tensor.instruction or 'the older path'}, whose peak is"
            f" {ratio.value:.3g}% of this GPU's best."
        ),
        because=(ratio, used),
        effect=Effect(
            removes={"unit:tensor": 1 - ratio.value / 100},
            exposed=kernel.analysis.stall_share(
                "math_pipe_throttle", "wait", "long_scoreboard", "barrier", "mio_throttle", "short_scoreboard"
            ),
            latency=True,
        ),
        advice=(
            "Library kernels: a current cuBLAS/cuBLASLt or CUTLASS 3 picks wgmma (Hopper) or tcgen05 (Blackwell) "
            "kernels.",
            "Triton: num_warps of a multiple of 4 and tiles of at least 64 rows, so that tl.dot compiles to wgmma.",
            "CUDA: wgmma.mma_async with operands in shared memory, fed by TMA, instead of mma.sync.",
        ),
        confidence=Confidence.HIGH,
        resource="tensor",
    )


RULE = Rule(
    id="legacy_tensor_instructions",
    title="Older Tensor Core instructions",
    limits=("peak_ratio_pct", "path_pct"),
    check=check,
)
