"""FP16 arithmetic saturates its pipe; if it works on single values, half of each instruction is unused.

Why it matters
    A half2 instruction does two operations in the slot of one; a scalar half operation fills half of it.

When it fires
    The pipe that executes FP16 is busy for at least the threshold with FP16 instructions.

When it stays quiet
    Kernels without FP16 arithmetic on that pipe. Counters cannot tell packed from scalar instructions, so that the
    finding is a question to the source, not a promise.

What to try
    half2 types and intrinsics, two elements a thread; FP32 arithmetic on converted values where it is not slower.
"""

from ncuanalyze import metrics as m
from ncuanalyze.analysis.gain import Effect
from ncuanalyze.diagnosis import Confidence, at_least
from ncuanalyze.rule import Clear, Flagged, Limits, Outcome, Reading, Rule


def check(kernel: Reading, limits: Limits) -> Outcome:
    """Look at the FP16 share of the pipe."""
    busy = at_least(
        "FP16 instructions on their pipe", m.FP16_BUSY.name, kernel.value(m.FP16_BUSY), limits["busy_pct"], "%"
    )
    if not busy.holds:
        return Clear(because=(busy,))
    return Flagged(
        message="FP16 instructions fill their pipe: check that they are packed (half2), two values an instruction.",
        because=(busy,),
        effect=Effect(removes={"unit:fp16": 0.5, "unit:fma": 0.5, "unit:issue": 0.5}),
        advice=(
            "CUDA: __half2 with __hfma2, __hadd2, __hmul2; load two neighbouring values a thread.",
            "In SASS a scalar operation shows as HFMA2 with .H0_H0 on every operand.",
            "Triton: arithmetic on fp16 tensors packs by itself where a thread holds neighbouring elements.",
        ),
        confidence=Confidence.LOW,
        resource="fma",
        optional=True,
    )


RULE = Rule(
    id="unpacked_half_arithmetic",
    title="FP16 arithmetic that may be unpacked",
    requires=(m.FP16_BUSY,),
    limits=("busy_pct",),
    check=check,
)
