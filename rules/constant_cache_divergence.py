"""Lanes of a warp read different constants, or constants miss their cache.

Why it matters
    The constant cache serves one address at a time: 32 addresses take 32 turns.

When it fires
    The indexed constant cache is busy, or warps wait for constants, for at least the threshold.

When it stays quiet
    Uniform constants: kernel parameters and coefficients.

What to try
    Put tables that lanes index differently into shared memory or global memory (__ldg).
"""

from ncuanalyze import metrics as m
from ncuanalyze.analysis.gain import Effect
from ncuanalyze.diagnosis import at_least
from ncuanalyze.rule import Clear, Flagged, Limits, Outcome, Reading, Rule


def check(kernel: Reading, limits: Limits) -> Outcome:
    """Look at the cache's own load and at the warps that wait for constants."""
    busy = at_least(
        "indexed constant cache busy",
        m.CONSTANT_BUSY.name,
        kernel.value(m.CONSTANT_BUSY),
        limits["busy_pct"],
        "%",
    )
    waiting = kernel.analysis.stall_share("imc_miss")
    stalled = at_least("warps waiting for constants", "share of warp states", 100 * waiting, limits["stall_pct"], "%")
    if not busy.holds and not stalled.holds:
        return Clear(because=(busy, stalled))
    hidden = max(
        waiting,
        kernel.analysis.stall_share("imc_miss", "short_scoreboard", "mio_throttle") if busy.holds else 0.0,
    )
    return Flagged(
        message="Constants are read at addresses that differ between the lanes, or miss their cache.",
        because=(busy, stalled),
        effect=Effect(removes={"unit:constant": 0.97} if busy.holds else {}, exposed=hidden),
        advice=(
            "CUDA: move the table to shared memory (32 banks) or read it with __ldg; keep __constant__ for uniform reads.",
            "Reorder so that all lanes of a warp use the same entry.",
        ),
        resource="constant",
        counter="imc_miss_samples",
    )


RULE = Rule(
    id="constant_cache_divergence",
    title="Divergent constant accesses",
    requires=(m.CONSTANT_BUSY,),
    limits=("busy_pct", "stall_pct"),
    needs_stalls=True,
    check=check,
)
