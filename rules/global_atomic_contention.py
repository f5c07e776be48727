"""Many threads update the same few addresses of global memory by atomics.

Why it matters
    One L2 slice serves all updates of an address, one after the other, while the other slices idle.

When it fires
    Atomics reach L2, and one slice takes far more of them than the average one.

When it stays quiet
    Atomics spread over many addresses.

What to try
    Reduce in the warp (__reduce_add_sync, shuffles) and in the block (shared memory) first: one atomic a block.
"""

from ncuanalyze import metrics as m
from ncuanalyze.analysis.gain import Effect
from ncuanalyze.diagnosis import at_least, fact
from ncuanalyze.rule import Clear, Flagged, Limits, NotApplicable, Outcome, Reading, Rule


def check(kernel: Reading, limits: Limits) -> Outcome:
    """Compare the busiest slice's atomic input with the average slice's."""
    updates = kernel.total(m.L2_REDUCTION_SECTORS, m.L2_ATOMIC_SECTORS)
    average = kernel.value(m.L2_ATOMIC_PCT)
    if updates <= 0 or average <= 0:
        return NotApplicable("no global atomics")
    busiest = kernel.value(m.L2_ATOMIC_BUSIEST_PCT)
    uneven = at_least(
        "atomic input of the busiest L2 slice over the average",
        f"{m.L2_ATOMIC_BUSIEST_PCT.name} / {m.L2_ATOMIC_PCT.name}",
        busiest / average,
        limits["busiest_over_average"],
    )
    busy = at_least(
        "atomic input of the busiest L2 slice",
        m.L2_ATOMIC_BUSIEST_PCT.name,
        busiest,
        limits["busiest_pct"],
        "%",
    )
    if not (uneven.holds and busy.holds):
        return Clear(because=(uneven, busy))
    serial = min(1.0, busiest / limits["one_address_pct"])
    return Flagged(
        message=f"{updates:.4g} atomic updates meet in a few L2 slices, which serve them one by one.",
        because=(uneven, busy, fact("atomic updates at L2", m.L2_REDUCTION_SECTORS.name, updates, "sector")),
        effect=Effect(
            removes={f"unit:{unit}": _share_of_l2(kernel, updates) for unit in ("l2", "l1tex", "lsu")},
            exposed=min(0.9999, serial) if serial < 0.9 else 1.0,
            serial=_one_a_warp(kernel, updates),
        ),
        advice=(
            "CUDA: reduce in the warp (__reduce_add_sync or shuffles), then in the block, and issue one atomic a "
            "block.",
            "Privatise: a copy of the counters a block in shared memory, merged at the end.",
            "Triton: tl.sum over the tile, then a single tl.atomic_add; or a second kernel that sums partial results.",
        ),
        resource="l2",
        counter="atomic_instructions",
    )


def _share_of_l2(kernel: Reading, updates: float) -> float:
    whole = kernel.maybe(m.L2_TEX_SECTORS) or 0.0
    return min(1.0, updates / max(whole, updates))


def _one_a_warp(kernel: Reading, updates: float) -> float:
    """The share of the time that one update a launched warp would still take."""
    blocks, threads = kernel.maybe(m.GRID_SIZE), kernel.maybe(m.BLOCK_SIZE)
    if blocks is None or threads is None:
        return 0.0
    return min(1.0, blocks * -(-threads // 32) / updates)


RULE = Rule(
    id="global_atomic_contention",
    title="Global atomics on few addresses",
    requires=(m.L2_ATOMIC_PCT, m.L2_ATOMIC_BUSIEST_PCT),
    optional=(m.L2_REDUCTION_SECTORS, m.L2_ATOMIC_SECTORS, m.L2_TEX_SECTORS, m.GRID_SIZE, m.BLOCK_SIZE),
    limits=("busiest_over_average", "busiest_pct", "one_address_pct"),
    check=check,
)
