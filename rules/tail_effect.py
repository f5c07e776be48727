"""The last wave of blocks is partial: most SMs idle while it runs.

Why it matters
    A grid of one wave and a few blocks takes the time of two waves.

When it fires
    The grid does not fill its last wave, and the SMs were measured idle for at least the threshold's share.

When it stays quiet
    Many waves, or blocks so uneven or so many a SM that the SMs stay busy to the end.

What to try
    A grid that is a whole number of waves, smaller blocks, or a persistent kernel that takes tiles from a counter.
"""

import math

from ncuanalyze import metrics as m
from ncuanalyze.analysis.gain import Effect
from ncuanalyze.diagnosis import at_least
from ncuanalyze.rule import Clear, Flagged, Limits, NotApplicable, Outcome, Reading, Rule


def check(kernel: Reading, limits: Limits) -> Outcome:
    """Compare the share of time that the last wave wastes with the idle time that the SMs show."""
    waves, elapsed = kernel.value(m.WAVES), kernel.value(m.SM_CYCLES_ELAPSED_MAX)
    whole = math.ceil(waves)
    if waves <= 1 or elapsed <= 0:
        return NotApplicable("the grid is one wave or less")
    lost = at_least(
        "share of the waves' time that the last one leaves idle",
        f"1 - {m.WAVES.name} / ceil({m.WAVES.name})",
        100 * (1 - waves / whole),
        limits["idle_pct"],
        "%",
    )
    longest = kernel.maybe(m.SM_CYCLES_ACTIVE_MAX)  # of the same pass as the average; elapsed cycles may be another's
    active = kernel.value(m.SM_CYCLES_ACTIVE_AVG) / (longest or elapsed)
    idle = at_least(
        "time that the average SM is idle",
        f"1 - {m.SM_CYCLES_ACTIVE_AVG.name} / {(m.SM_CYCLES_ACTIVE_MAX if longest else m.SM_CYCLES_ELAPSED_MAX).name}",
        100 * (1 - active),
        limits["idle_pct"],
        "%",
    )
    if not (lost.holds and idle.holds):
        return Clear(because=(lost, idle))
    return Flagged(
        message=(
            f"The last of {whole} waves is partial ({waves:.4g} waves):"
            f" the average SM idles {idle.value:.3g}% of the time."
        ),
        because=(lost, idle),
        effect=Effect(exposed=1.0, at_least=(max(waves / whole, active),)),
        advice=(
            "Make the grid a multiple of the blocks that fit the GPU, or choose smaller blocks.",
            "Persistent blocks: launch one wave and let each take tiles from a counter.",
            "Triton: choose BLOCK_* so that the grid is a multiple of the SM count, or a persistent loop over tiles.",
        ),
        resource="launch",
    )


RULE = Rule(
    id="tail_effect",
    title="Tail effect of a partial last wave",
    requires=(m.WAVES, m.SM_CYCLES_ACTIVE_AVG, m.SM_CYCLES_ELAPSED_MAX),
    optional=(m.SM_CYCLES_ACTIVE_MAX,),
    limits=("idle_pct",),
    check=check,
)
