"""The special-function unit limits the kernel: transcendental functions, reciprocals, square roots, conversions.

Why it matters
    It serves 16 lanes a cycle and SM, an eighth of the FMA pipe.

When it fires
    The unit is busy for at least the threshold.

When it stays quiet
    Kernels that another unit limits.

What to try
    Fewer calls: exp2 instead of exp, rsqrt instead of 1/sqrt, a polynomial on the FMA pipe for a part of them.
"""

from ncuanalyze import metrics as m
from ncuanalyze.analysis.gain import Effect
from ncuanalyze.diagnosis import Confidence, at_least, below
from ncuanalyze.rule import Clear, Flagged, Limits, NotApplicable, Outcome, Reading, Rule

OTHER_PIPES = tuple(f"sm__pipe_{pipe}_cycles_active" for pipe in ("alu", "fma", "fmaheavy"))


def check(kernel: Reading, limits: Limits) -> Outcome:
    """Look at the unit's load against the issue slots."""
    unit = at_least("special-function unit busy", m.XU_BUSY.name, kernel.value(m.XU_BUSY), limits["busy_pct"], "%")
    measured = kernel.analysis.units.by_name()
    pipes = [measured[name].busy for name in OTHER_PIPES if name in measured]
    if not pipes:
        return NotApplicable("the other arithmetic pipes were not measured")
    others = below("busiest other arithmetic pipe", "sm__pipe_*_cycles_active", 100 * max(pipes), unit.value, "%")
    if not (unit.holds and others.holds):
        return Clear(because=(unit, others))
    moved = limits["movable_share"]
    added = moved * unit.value / 100 / 8 * limits["polynomial_slots"]
    full = kernel.analysis.busy("sm__inst_executed") + added >= kernel.analysis.unit_busy("xu")
    return Flagged(
        message=f"The special-function unit is busy {unit.value:.3g}% of the time, the next pipe {others.value:.3g}%.",
        because=(unit, others),
        effect=Effect(
            removes={"unit:xu": moved},
            adds={} if full else {"sm__inst_executed": added},
            exposed=moved * kernel.analysis.stall_share("mio_throttle", "short_scoreboard", "math_pipe_throttle"),
        ),
        optional=full,
        advice=(
            "Fold constants so that exp becomes exp2 and log becomes log2; rsqrtf instead of 1/sqrtf; reuse results.",
            "Compute a part of the calls by a polynomial on the FMA pipe, which has room.",
            "CUDA: __expf, __sinf and -use_fast_math take fewer instructions a call; check the accuracy.",
        ),
        confidence=Confidence.MEDIUM,
        resource="xu",
    )


RULE = Rule(
    id="special_function_pressure",
    title="Special-function unit saturated",
    requires=(m.XU_BUSY,),
    limits=("busy_pct", "movable_share", "polynomial_slots"),
    check=check,
)
