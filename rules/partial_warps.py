"""The block is not a multiple of 32 threads: the last warp of each block runs with idle lanes.

Why it matters
    A warp of one thread issues and computes as long as a warp of 32.

When it fires
    The block's last warp leaves at least the threshold's share of all lanes idle.

When it stays quiet
    Large blocks, where one partial warp of many costs little.

What to try
    A block of a multiple of 32 threads, with a bounds check for the rest.
"""

import math

from ncuanalyze import metrics as m
from ncuanalyze.analysis.gain import Effect
from ncuanalyze.diagnosis import at_least, fact
from ncuanalyze.rule import Clear, Flagged, Limits, NotApplicable, Outcome, Reading, Rule

PIPES = ("issue", "fma", "alu", "fp64", "fp16", "xu", "lsu", "tensor")


def check(kernel: Reading, limits: Limits) -> Outcome:
    """Count the lanes that no thread fills."""
    threads = kernel.value(m.BLOCK_SIZE)
    if threads <= 0:
        return NotApplicable("no launch")
    idle = 1 - threads / (32 * math.ceil(threads / 32))
    share = at_least(
        "lanes without a thread",
        f"1 - {m.BLOCK_SIZE.name} / (32 * warps)",
        100 * idle,
        limits["idle_lanes_pct"],
        "%",
    )
    if not share.holds:
        return Clear(because=(share,))
    return Flagged(
        message=f"Blocks of {threads:.0f} threads leave {share.value:.3g}% of the lanes without a thread.",
        because=(share, fact("threads per block", m.BLOCK_SIZE.name, threads, "thread")),
        effect=Effect(removes={f"unit:{unit}": idle for unit in PIPES}, exposed=idle),
        advice=(
            f"Use blocks of {32 * max(1, round(threads / 32))} or {32 * math.ceil(threads / 32)} threads and check "
            "bounds.",
        ),
        resource="issue",
    )


RULE = Rule(
    id="partial_warps",
    title="Partly filled warps",
    requires=(m.BLOCK_SIZE,),
    limits=("idle_lanes_pct",),
    check=check,
)
