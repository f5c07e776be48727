"""Multiplications and additions are issued apart where one fused instruction would do both.

Why it matters
    A fused multiply-add does two operations in the slot of one.

When it fires
    Pairs of FMUL and FADD, or of DMUL and DADD, that could fuse take at least the threshold's share of the issued
    instructions.

When it stays quiet
    Memory-bound kernels, where the slots are free anyway.

What to try
    -fmad=true (the default), fmaf, and expressions of the form a * b + c.
"""

from ncuanalyze import metrics as m
from ncuanalyze.analysis.gain import Effect
from ncuanalyze.diagnosis import at_least
from ncuanalyze.rule import Clear, Flagged, Limits, NotApplicable, Outcome, Reading, Rule

SINGLE = (m.FADD, m.FMUL, m.FFMA)
DOUBLE = (m.DADD, m.DMUL, m.DFMA)


def check(kernel: Reading, limits: Limits) -> Outcome:
    """Count the pairs that could fuse against the issue slots used; of the two precisions the one with more."""
    issue = kernel.analysis.busy("sm__inst_executed")
    slots = issue * kernel.value(m.SM_COUNT) * 4
    if slots <= 0:
        return NotApplicable("issue slots were not measured")
    unit, counters = max((("fma", SINGLE), ("fp64", DOUBLE)), key=lambda kind: _pairs(kernel, *kind[1]))
    pairs, (added, multiplied, _) = _pairs(kernel, *counters), counters
    share = at_least(
        "fusible pairs of all issued instructions",
        f"min({added.name}, {multiplied.name}) / 32 / issued",
        100 * pairs / slots,
        limits["pair_pct"],
        "%",
    )
    if not share.holds:
        return Clear(because=(share,))
    removed = min(0.5, share.value / 100)
    of_pipe = min(0.5, pairs / (kernel.total(*counters) / 32))
    return Flagged(
        message=f"{share.value:.3g}% of the instructions would vanish if multiplications and additions were fused.",
        because=(share,),
        effect=Effect(
            removes={"unit:issue": removed, f"unit:{unit}": of_pipe, **_shared(unit, of_pipe)}, exposed=removed
        ),
        advice=(
            "Compile with -fmad=true (the default) and write a * b + c, or fmaf(a, b, c); avoid __fmul_rn and "
            "__fadd_rn (doubles: __dmul_rn and __dadd_rn).",
            "Triton: keep x * y + z in one expression; enable_fp_fusion=True is the default.",
        ),
        resource=unit,
    )


def _pairs(kernel: Reading, added: m.MetricRef, multiplied: m.MetricRef, _: m.MetricRef) -> float:
    """Warp instructions a cycle that would go."""
    return min(kernel.total(added), kernel.total(multiplied)) / 32


def _shared(unit: str, removed: float) -> dict[str, float]:
    """FP64 runs on a pipe that it shares with the Tensor Cores, whose counter follows it."""
    return {"sm__pipe_shared_cycles_active": removed} if unit == "fp64" else {}


RULE = Rule(
    id="unfused_floating_point",
    title="Unfused multiplications and additions",
    requires=(*SINGLE, m.SM_COUNT),
    optional=DOUBLE,
    limits=("pair_pct",),
    check=check,
)
