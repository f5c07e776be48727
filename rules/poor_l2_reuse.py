"""Tiles that neighbouring blocks share are read from DRAM again, because the blocks do not run at the same time.

Why it matters
    L2 can serve a tile to every block of a row or column; in an unlucky block order it is gone before the next use.

When it fires
    A kernel with reuse by construction (matrix tiles) is limited by DRAM, and few of its L2 reads hit.

When it stays quiet
    Streams, whose every byte is read once: counters cannot tell a second read from a first.

What to try
    A grouped or swizzled block order, tiles that fit L2, persistence hints.
"""

from ncuanalyze import metrics as m
from ncuanalyze.analysis.gain import Effect
from ncuanalyze.diagnosis import Confidence, at_least, below
from ncuanalyze.rule import Clear, Flagged, Limits, NotApplicable, Outcome, Reading, Rule

FLOP_PER_WARP_FMA = 64


def check(kernel: Reading, limits: Limits) -> Outcome:
    """Only where arithmetic shows that bytes are used many times: their L2 hit rate and DRAM's load."""
    moved = kernel.analysis.dram_bytes or 0.0
    flop, least = _work(kernel, limits)
    if not flop or moved <= 0:
        return NotApplicable("no matrix tiles, so no reuse to expect")
    hit = below("L2 hit rate", m.L2_HIT_RATE.name, kernel.value(m.L2_HIT_RATE), limits["hit_rate_pct"], "%")
    dram = at_least("DRAM busy", m.DRAM_THROUGHPUT.name, kernel.value(m.DRAM_THROUGHPUT), limits["dram_pct"], "%")
    work = at_least(
        "FLOP per DRAM byte",
        "FLOP / DRAM bytes",
        flop / moved,
        least,
        "FLOP/byte",
    )
    if not (hit.holds and dram.holds and work.holds):
        return Clear(because=(hit, dram, work))
    return Flagged(
        message=f"Only {hit.value:.3g}% of the L2 accesses hit, although the tiles are shared between blocks.",
        because=(hit, dram, work),
        effect=Effect(removes={"unit:dram": limits["avoidable_share"]}, exposed=limits["avoidable_share"]),
        advice=(
            "Triton: a grouped program order (GROUP_M 4-8, tl.swizzle2d).",
            "CUDA: swizzle the block index so that blocks that run together share rows and columns.",
        ),
        confidence=Confidence.LOW,
        resource="dram",
    )


def _work(kernel: Reading, limits: Limits) -> tuple[float, float]:
    """The FLOP that show reuse, and how many a DRAM byte they must be: fewer on the pipes, whose operands are wider.

    On the pipes only work fed from shared-memory tiles shows reuse: elementwise arithmetic has none.
    """
    flop = kernel.analysis.tensor_flop
    if flop:
        return flop, limits["flop_per_dram_byte"]
    flop, loads = kernel.analysis.pipe_flop, kernel.maybe(m.SHARED_LOADS) or 0.0
    tiled = flop > 0 and loads / (flop / FLOP_PER_WARP_FMA) >= limits["shared_loads_per_fma"]
    return (flop if tiled else 0.0), limits["pipe_flop_per_dram_byte"]


RULE = Rule(
    id="poor_l2_reuse",
    title="Little reuse in L2",
    requires=(m.L2_HIT_RATE, m.DRAM_BYTES_PER_S, m.DRAM_THROUGHPUT),
    optional=(m.SHARED_LOADS,),
    limits=(
        "hit_rate_pct",
        "dram_pct",
        "flop_per_dram_byte",
        "pipe_flop_per_dram_byte",
        "shared_loads_per_fma",
        "avoidable_share",
    ),
    check=check,
)
