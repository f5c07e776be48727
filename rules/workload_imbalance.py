"""Some SMs work much longer than the others.

Why it matters
    The kernel ends with its last block; the SMs that finished early idle.

When it fires
    The busiest SM is active for much longer than the average one, and no partial wave or small grid explains it.

When it stays quiet
    Short kernels, whose launch itself staggers the SMs.

What to try
    Even work a block: split long rows, sort by length, dynamic scheduling from an atomic counter.
"""

import math

from ncuanalyze import metrics as m
from ncuanalyze.analysis.gain import Effect
from ncuanalyze.diagnosis import Confidence, at_least, fact
from ncuanalyze.rule import Clear, Flagged, Limits, NotApplicable, Outcome, Reading, Rule

SPREAD = 1.08
"""Equal blocks differ by so much: balanced kernels on an H200 read 1.00 to 1.08."""


def check(kernel: Reading, limits: Limits) -> Outcome:
    """Compare the busiest SM with the average one."""
    longest, average = kernel.value(m.SM_CYCLES_ACTIVE_MAX), kernel.value(m.SM_CYCLES_ACTIVE_AVG)
    blocks, sms = kernel.maybe(m.GRID_SIZE), kernel.maybe(m.SM_COUNT)
    if average <= 0 or (blocks is not None and sms is not None and blocks < sms):
        return NotApplicable("not every SM has a block")
    if longest < limits["least_cycles"]:
        return NotApplicable("the kernel is too short to tell imbalance from its launch")
    ratio = at_least(
        "active cycles of the busiest SM over the average",
        f"{m.SM_CYCLES_ACTIVE_MAX.name} / {m.SM_CYCLES_ACTIVE_AVG.name}",
        longest / average,
        limits["longest_over_average"],
    )
    if not ratio.holds:
        return Clear(because=(ratio,))
    waves = kernel.maybe(m.WAVES) or 0.0
    if waves > 1 and ratio.value <= SPREAD * math.ceil(waves) / waves:
        return NotApplicable("the partial last wave explains it")
    shortest = kernel.maybe(m.SM_CYCLES_ACTIVE_MIN)
    extra = (
        ()
        if shortest is None
        else (fact("active cycles of the least busy SM", m.SM_CYCLES_ACTIVE_MIN.name, shortest, "cycle"),)
    )
    return Flagged(
        message=f"The busiest SM works {ratio.value:.3g} times as long as the average one.",
        because=(ratio, *extra),
        effect=Effect(exposed=1.0, at_least=(average / longest,)),
        advice=(
            "Give every block the same work: split long rows over several blocks, sort or bin by length; of"
            " equal blocks launch a multiple of the SM count.",
            "Dynamic scheduling: blocks take the next piece from an atomic counter.",
            "Triton: a persistent kernel over a work list instead of one program a row.",
        ),
        confidence=Confidence.HIGH,
        resource="launch",
        counter="",
    )


RULE = Rule(
    id="workload_imbalance",
    title="Work spread unevenly over the SMs",
    requires=(m.SM_CYCLES_ACTIVE_MAX, m.SM_CYCLES_ACTIVE_AVG),
    optional=(m.SM_CYCLES_ACTIVE_MIN, m.GRID_SIZE, m.SM_COUNT, m.WAVES),
    limits=("longest_over_average", "least_cycles"),
    check=check,
)
