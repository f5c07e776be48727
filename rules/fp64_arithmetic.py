"""The FP64 pipe limits the kernel.

Why it matters
    FP64 runs at half the FP32 rate on data-centre chips and at a thirty-second or sixty-fourth on the others, where it
    shares one slow pipe of the SM.

When it fires
    FP64 instructions keep their pipe busy for at least the threshold and the Tensor Cores do none of that work.

When it stays quiet
    FP64 matrix products on Tensor Cores.

What to try
    FP32 where its 24 bits suffice (literals without f are double), FP64 only for the accumulation, or Tensor Cores.
"""

from ncuanalyze import metrics as m
from ncuanalyze.analysis.gain import Effect
from ncuanalyze.diagnosis import Confidence, at_least
from ncuanalyze.rule import Clear, Flagged, Limits, NotApplicable, Outcome, Reading, Rule


def check(kernel: Reading, limits: Limits) -> Outcome:
    """Look at the pipe's load; what it does would move to the FMA pipe."""
    tensor = kernel.analysis.tensor
    if tensor is not None and tensor.total_pct >= limits["tensor_pct"]:
        return NotApplicable("the Tensor Cores do the FP64 work")
    pipe = at_least("FP64 pipe busy", m.FP64_BUSY.name, kernel.value(m.FP64_BUSY), limits["busy_pct"], "%")
    if not pipe.holds:
        return Clear(because=(pipe,))
    issue = kernel.analysis.busy("sm__inst_executed")
    return Flagged(
        message=(
            f"The FP64 pipe is busy {pipe.value:.3g}% of the time while {100 * issue:.3g}% of the issue slots are "
            "used."
        ),
        because=(pipe,),
        effect=Effect(
            removes={"unit:fp64": 1.0, "sm__pipe_shared_cycles_active": 1.0},
            exposed=kernel.analysis.stall_share("math_pipe_throttle"),
        ),
        advice=(
            "Use float where 24 bits of precision suffice; check literals (1.0 is double, 1.0f is float) and math "
            "calls.",
            "Compute in float and accumulate in double, or use Kahan or two-float sums.",
            "Matrix products: FP64 Tensor Cores (cuBLAS DGEMM) on A100, H100 and H200.",
        ),
        confidence=Confidence.HIGH,
        resource="fp64",
    )


RULE = Rule(
    id="fp64_arithmetic",
    title="FP64 arithmetic",
    requires=(m.FP64_BUSY,),
    limits=("busy_pct", "tensor_pct"),
    check=check,
)
