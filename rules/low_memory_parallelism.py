"""Each warp waits for one load before it issues the next.

Why it matters
    Bandwidth is bytes in flight over latency: with one load in flight a warp, no bandwidth limit is ever reached.

When it fires
    Warps wait mostly for global memory, the wait per load is near the whole memory latency, and no memory unit is busy.

When it stays quiet
    Kernels that already saturate DRAM, L2, L1 or the host link.

What to try
    Several independent loads before the first use: unrolling, vector loads, prefetching, asynchronous copies.
"""

from ncuanalyze import metrics as m
from ncuanalyze.analysis.gain import Effect
from ncuanalyze.diagnosis import Confidence, Evidence, at_least, below, fact
from ncuanalyze.rule import Clear, Flagged, Limits, NotApplicable, Outcome, Reading, Rule

from ._waiting import POLLS, QUEUED, queues_for_host, spins, wait_per_load

REASONS = ("long_scoreboard",)


def check(kernel: Reading, limits: Limits) -> Outcome:
    """Spread the waiting for memory over the loads: near the full latency, loads do not overlap."""
    stalls = kernel.analysis.stalls
    if stalls is None or not stalls.matter:
        return NotApplicable("the schedulers issue nearly every cycle")
    if spins(kernel):
        return NotApplicable(POLLS)
    if queues_for_host(kernel, limits["link_share_pct"]):
        return NotApplicable(QUEUED)
    in_flight = _loads(kernel, limits)
    if in_flight is None:
        return NotApplicable("no global loads")
    hidden = kernel.analysis.stall_share(*REASONS)
    share = at_least("waiting for global memory", "share of warp states", 100 * hidden, limits["stall_pct"], "%")
    busy = below(
        "busiest unit against what it sustains",
        "Speed Of Light breakdown",
        100 * kernel.analysis.covered,
        limits["covered_pct"],
        "%",
    )
    if not (share.holds and in_flight.holds and busy.holds):
        return Clear(because=(share, in_flight, busy))
    each = f"{in_flight.value:.3g} cycles for each load" if in_flight.unit == "cycle" else "for asynchronous copies"
    return Flagged(
        message=f"Warps wait {each}: too few loads are in flight.",
        because=(in_flight, share, busy),
        effect=Effect(exposed=hidden, at_least=(1 / limits["loads_in_flight"],), latency=True),
        advice=(
            "CUDA: load several independent elements before the first use (#pragma unroll 4-8, float4 loads).",
            "CUDA: prefetch the next tile into registers or shared memory (cp.async, TMA) while computing this one.",
            "Triton: a larger BLOCK, num_stages=3 or more for the loop over tiles, more num_warps.",
        ),
        confidence=Confidence.HIGH if _enough_warps(kernel) else Confidence.MEDIUM,
        resource="latency",
        counter="long_scoreboard_samples",
    )


def _loads(kernel: Reading, limits: Limits) -> Evidence | None:
    """The wait per load; where only asynchronous copies load, which no warp waits for one by one, their number."""
    wait, copies, tensor = wait_per_load(kernel), kernel.total(m.TMA_LOADS), kernel.analysis.tensor
    if wait is None:
        works = tensor is not None and tensor.total_pct >= limits["tensor_pct"]
        return fact("bulk copies", m.TMA_LOADS.name, copies, "inst") if copies > 0 and not works else None
    return at_least(
        "wait per global load",
        f"long_scoreboard cycles an instruction * {m.INSTRUCTIONS.name} / {m.GLOBAL_LOAD_REQUESTS.name}",
        wait,
        limits["wait_per_load_cycles"],
        "cycle",
    )


def _enough_warps(kernel: Reading) -> bool:
    """With few warps resident, occupancy may be the first cause."""
    occupancy = kernel.maybe(m.THEORETICAL_OCCUPANCY)
    return occupancy is None or occupancy >= 25


RULE = Rule(
    id="low_memory_parallelism",
    title="Too few loads in flight",
    requires=(m.GLOBAL_LOAD_REQUESTS, m.INSTRUCTIONS, m.SM_THROUGHPUT, m.MEMORY_THROUGHPUT),
    optional=(m.THEORETICAL_OCCUPANCY, m.TMA_LOADS),
    limits=("stall_pct", "wait_per_load_cycles", "covered_pct", "loads_in_flight", "tensor_pct", "link_share_pct"),
    needs_stalls=True,
    check=check,
)
