"""Integer division or other emulated integer arithmetic fills the pipes.

Why it matters
    A GPU has no integer division: one takes 20 to 40 instructions, with conversions on the special-function unit.

When it fires
    The integer pipes lead, floating point does almost nothing, and conversions show that divisions are computed.

When it stays quiet
    Hashes, random numbers and bit tricks: those are the work itself.

What to try
    Powers of two (shift, mask), precomputed multipliers (fast division), hoisting the division, 32 instead of 64 bits.
"""

from ncuanalyze import metrics as m
from ncuanalyze.analysis.gain import Effect
from ncuanalyze.diagnosis import Confidence, at_least, below
from ncuanalyze.rule import Clear, Flagged, Limits, NotApplicable, Outcome, Reading, Rule

PIPES = ("alu", "fma", "xu", "issue")
SINGLE = (m.FADD, m.FMUL, m.FFMA)
DOUBLE = (m.DADD, m.DMUL, m.DFMA)
"""Double-precision functions convert and shift integers too: that arithmetic is theirs."""


def check(kernel: Reading, limits: Limits) -> Outcome:
    """Find conversions without floating-point work beside busy integer pipes."""
    issue = kernel.analysis.busy("sm__inst_executed")
    slots = issue * kernel.value(m.SM_COUNT) * 4
    if slots <= 0:
        return NotApplicable("issue slots were not measured")
    floating = kernel.total(*SINGLE, *DOUBLE) / 32
    few = below(
        "floating-point instructions of all issued",
        f"({m.FADD.name} + ...) / issued",
        100 * floating / slots,
        limits["floating_pct"],
        "%",
    )
    xu = at_least(
        "special-function instructions of all issued",
        m.XU_BUSY.name,
        100 * kernel.value(m.XU_BUSY) / 100 / 8 / issue,
        limits["conversion_pct"],
        "%",
    )
    busy = at_least("issue slots used", "sm__inst_executed", 100 * issue, limits["issue_pct"], "%")
    if not (few.holds and xu.holds and busy.holds):
        return Clear(because=(few, xu, busy))
    share = limits["movable_share"] * min(1.0, xu.value / limits["divisions_only_pct"])
    return Flagged(
        message="Integer arithmetic with conversions and no floating point: divisions or modulo by a run-time value.",
        because=(busy, few, xu),
        effect=Effect(removes={f"unit:{unit}": share for unit in PIPES}, exposed=share),
        advice=(
            "Divide by constants or powers of two; precompute a magic multiplier (libdivide, cutlass::FastDivmod).",
            "Hoist the division out of the loop; step indices by addition; 32-bit instead of 64-bit indices.",
            "Triton: make sizes tl.constexpr, so that // and % compile to shifts and multiplications.",
        ),
        confidence=Confidence.MEDIUM,
        resource="alu",
    )


RULE = Rule(
    id="integer_arithmetic",
    title="Emulated integer arithmetic",
    requires=(m.XU_BUSY, m.SM_COUNT, *SINGLE),
    optional=DOUBLE,
    limits=("floating_pct", "conversion_pct", "issue_pct", "movable_share", "divisions_only_pct"),
    check=check,
)
