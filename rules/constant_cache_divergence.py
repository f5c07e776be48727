"""Lanes of a warp read different constants, or constants miss their cache.

Why it matters
    The constant cache serves one address at a time: 32 addresses take 32 turns.

When it fires
    The indexed constant cache is busy with more requests than instructions, or warps wait for constants.

When it stays quiet
    Uniform constants: kernel parameters and coefficients.

What to try
    Put tables that lanes index differently into shared memory or global memory (__ldg).
"""

from ncuanalyze import metrics as m
from ncuanalyze.analysis.gain import Effect
from ncuanalyze.diagnosis import Evidence, at_least
from ncuanalyze.rule import Clear, Flagged, Limits, Outcome, Reading, Rule

QUEUES = ("sm__mio_pq_read_cycles_active", "sm__mio_pq_write_cycles_active", "sm__mio_inst_issued")


def check(kernel: Reading, limits: Limits) -> Outcome:
    """Count the cache's requests against the instructions, and the warps that wait for constants."""
    requests, executed = kernel.value(m.CONSTANT_REQUESTS), max(kernel.value(m.INSTRUCTIONS), 1.0)
    each = at_least(
        "constant requests per instruction",
        f"{m.CONSTANT_REQUESTS.name} / {m.INSTRUCTIONS.name}",
        requests / executed,
        limits["requests_per_instruction"],
    )
    busy = at_least(
        "indexed constant cache busy", m.CONSTANT_BUSY.name, kernel.value(m.CONSTANT_BUSY), limits["busy_pct"], "%"
    )
    waiting = kernel.analysis.stall_share("imc_miss")
    stalled = at_least("warps waiting for constants", "share of warp states", 100 * waiting, limits["stall_pct"], "%")
    if each.holds and busy.holds:
        return _divergent(kernel, each, busy, limits["constant_load_share"])
    if not stalled.holds:
        return Clear(because=(each, busy, stalled))
    return Flagged(
        message=f"{stalled.value:.3g}% of the waiting is for constants that miss their cache.",
        because=(stalled,),
        effect=Effect(exposed=waiting, latency=True),
        advice=(
            "Keep the constants of a loop within the 2 KB of the immediate constant cache, or load them into "
            "registers.",
        ),
        resource="constant",
        counter="imc_miss_samples",
    )


def _divergent(kernel: Reading, each: Evidence, busy: Evidence, load_share: float) -> Flagged:
    """Divergent loads go to shared memory: the cache's work ends, and the queues' replays with it."""
    replays = 1 - 1 / max(min(32.0, each.value / load_share), 1.0)
    return Flagged(
        message=f"Lanes read different constants: {each.value:.3g} requests for each instruction.",
        because=(each, busy),
        effect=Effect(
            removes={
                "unit:constant": 1.0,
                "sm__inst_executed_pipe_adu": 1.0,
                **dict.fromkeys(QUEUES, replays),
            },
            exposed=kernel.analysis.stall_share("imc_miss", "short_scoreboard", "mio_throttle"),
        ),
        advice=(
            "CUDA: put the table into shared memory (32 banks) or read it with __ldg; keep __constant__ for uniform "
            "reads.",
            "Reorder so that all lanes of a warp use the same entry.",
        ),
        resource="constant",
        counter="short_scoreboard_samples",
    )


RULE = Rule(
    id="constant_cache_divergence",
    title="Divergent constant accesses",
    requires=(m.CONSTANT_BUSY, m.CONSTANT_REQUESTS, m.INSTRUCTIONS),
    limits=("requests_per_instruction", "constant_load_share", "busy_pct", "stall_pct"),
    needs_stalls=True,
    check=check,
)
