"""The FP64 pipe limits the kernel.

Why it matters
    FP64 runs at half the FP32 rate on data-centre chips and at a thirty-second or sixty-fourth on the others, where it
    shares one slow pipe of the SM.

When it fires
    FP64 instructions keep their pipe busy for at least the threshold and the Tensor Cores do none of that work; or
    conversions to double and back fill the special-function unit.

When it stays quiet
    FP64 matrix products on Tensor Cores.

What to try
    FP32 where its 24 bits suffice (literals without f are double), FP64 only for the accumulation, or Tensor Cores.
"""

from ncuanalyze import metrics as m
from ncuanalyze.analysis.gain import Effect
from ncuanalyze.diagnosis import Confidence, Evidence, at_least
from ncuanalyze.rule import Clear, Flagged, Limits, NotApplicable, Outcome, Reading, Rule


def check(kernel: Reading, limits: Limits) -> Outcome:
    """Look at the pipe's load; what it does would move to the FMA pipe."""
    tensor = kernel.analysis.tensor
    if tensor is not None and tensor.total_pct >= limits["tensor_pct"]:
        return NotApplicable("the Tensor Cores do the FP64 work")
    pipe = at_least("FP64 pipe busy", m.FP64_BUSY.name, kernel.value(m.FP64_BUSY), limits["busy_pct"], "%")
    if not pipe.holds:
        return _conversions(kernel, limits, pipe)
    issue = kernel.analysis.busy("sm__inst_executed")
    return Flagged(
        message=(
            f"The FP64 pipe is busy {pipe.value:.3g}% of the time while {100 * issue:.3g}% of the issue slots are used."
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


def _conversions(kernel: Reading, limits: Limits, pipe: Evidence) -> Outcome:
    """Values converted to double and back, for a literal or a call: the conversions fill the special-function unit."""
    issue, sms, unit = kernel.analysis.busy("sm__inst_executed"), kernel.maybe(m.SM_COUNT), kernel.maybe(m.XU_BUSY)
    if unit is None or issue <= 0 or not sms:
        return Clear(because=(pipe,))
    doubles = kernel.total(m.DADD, m.DMUL, m.DFMA) / 32 / (issue * sms * 4)
    share = at_least(
        "double instructions of all issued",
        "(DADD + DMUL + DFMA) / issued",
        100 * doubles,
        limits["double_share_pct"],
        "%",
    )
    busy = at_least("special-function unit busy", m.XU_BUSY.name, unit, limits["conversions_pct"], "%")
    if not (share.holds and busy.holds):
        return Clear(because=(pipe, share, busy))
    return Flagged(
        message="Values are converted to double and back: the conversions fill the special-function unit.",
        because=(busy, share),
        effect=Effect(
            removes={"unit:xu": 1.0, "unit:fp64": 1.0, "sm__pipe_shared_cycles_active": 1.0},
            exposed=kernel.analysis.stall_share("mio_throttle", "short_scoreboard", "math_pipe_throttle", "wait"),
        ),
        advice=(
            "CUDA: write literals with f (0.5f), call sqrtf, expf, fabsf; compile with -Werror on double promotion.",
            "Keep the whole expression in float; convert once at the end if the result must be double.",
        ),
        confidence=Confidence.MEDIUM,
        resource="xu",
    )


RULE = Rule(
    id="fp64_arithmetic",
    title="FP64 arithmetic",
    requires=(m.FP64_BUSY,),
    optional=(m.SM_COUNT, m.XU_BUSY, m.DADD, m.DMUL, m.DFMA),
    limits=("busy_pct", "conversions_pct", "tensor_pct", "double_share_pct"),
    check=check,
)
