"""Multiplications and additions are issued apart where one fused instruction would do both.

Why it matters
    A fused multiply-add does two operations in the slot of one.

When it fires
    Pairs of FMUL and FADD that could fuse take at least the threshold's share of the issued instructions.

When it stays quiet
    Memory-bound kernels, where the slots are free anyway.

What to try
    -fmad=true (the default), fmaf, and expressions of the form a * b + c.
"""

from ncuanalyze import metrics as m
from ncuanalyze.analysis.gain import Effect
from ncuanalyze.diagnosis import at_least
from ncuanalyze.rule import Clear, Flagged, Limits, NotApplicable, Outcome, Reading, Rule


def check(kernel: Reading, limits: Limits) -> Outcome:
    """Count the pairs that could fuse against the issue slots used."""
    issue = kernel.analysis.busy("sm__inst_executed")
    slots = issue * kernel.value(m.SM_COUNT) * 4
    if slots <= 0:
        return NotApplicable("issue slots were not measured")
    pairs = min(kernel.value(m.FADD), kernel.value(m.FMUL)) / 32
    share = at_least(
        "fusible pairs of all issued instructions",
        f"min({m.FADD.name}, {m.FMUL.name}) / 32 / issued",
        100 * pairs / slots,
        limits["pair_pct"],
        "%",
    )
    if not share.holds:
        return Clear(because=(share,))
    removed = min(0.5, share.value / 100)
    of_fma = min(0.5, pairs / (kernel.total(m.FADD, m.FMUL, m.FFMA) / 32))
    return Flagged(
        message=f"{share.value:.3g}% of the instructions would vanish if multiplications and additions were fused.",
        because=(share,),
        effect=Effect(removes={"unit:issue": removed, "unit:fma": of_fma}, exposed=removed),
        advice=(
            "Compile with -fmad=true (the default) and write a * b + c, or fmaf(a, b, c); avoid __fmul_rn and "
            "__fadd_rn.",
            "Triton: keep x * y + z in one expression; enable_fp_fusion=True is the default.",
        ),
        resource="fma",
    )


RULE = Rule(
    id="unfused_floating_point",
    title="Unfused multiplications and additions",
    requires=(m.FADD, m.FMUL, m.FFMA, m.SM_COUNT),
    limits=("pair_pct",),
    check=check,
)
