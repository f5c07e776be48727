"""The launch has too few blocks, or too few threads, to fill the GPU.

Why it matters
    Idle SMs do nothing, and an SM with a few warps cannot hide latency.

When it fires
    Fewer blocks than SMs; or less than one wave, with the achieved occupancy far below what the kernel's registers
    and shared memory allow.

When it stays quiet
    Persistent kernels that fill every SM on purpose, and kernels whose busiest unit is saturated.

What to try
    Split the work into more blocks: smaller tiles, split-K, one block a row instead of a grid-stride loop.
"""

from ncuanalyze import metrics as m
from ncuanalyze.analysis.gain import Effect
from ncuanalyze.diagnosis import Confidence, Evidence, at_least, below, fact
from ncuanalyze.rule import Clear, Flagged, Limits, Outcome, Reading, Rule


def check(kernel: Reading, limits: Limits) -> Outcome:
    """First idle SMs; then SMs that hold far fewer warps than would fit, because no more were launched."""
    blocks, sms = kernel.value(m.GRID_SIZE), kernel.value(m.SM_COUNT)
    filled = below("blocks for the GPU's SMs", m.GRID_SIZE.name, blocks, sms * limits["blocks_per_sm"])
    if filled.holds and blocks > 0:
        return _flag(kernel, (filled, fact("SMs", m.SM_COUNT.name, sms)), max(1.0, sms / blocks), idle=True)
    return _thin(kernel, limits, filled)


def _thin(kernel: Reading, limits: Limits, filled: Evidence) -> Outcome:
    waves, theoretical, achieved = map(kernel.maybe, (m.WAVES, m.THEORETICAL_OCCUPANCY, m.ACHIEVED_OCCUPANCY))
    if waves is None or not theoretical or not achieved:
        return Clear(because=(filled,))
    few = below("waves", m.WAVES.name, waves, limits["thin_waves"])
    room = at_least(
        "theoretical over achieved occupancy",
        f"{m.THEORETICAL_OCCUPANCY.name} / {m.ACHIEVED_OCCUPANCY.name}",
        theoretical / achieved,
        limits["occupancy_room"],
    )
    if not few.holds or not room.holds:
        return Clear(because=(filled, few, room))
    return _flag(kernel, (few, room), room.value, idle=False)


def _flag(kernel: Reading, because: tuple[Evidence, ...], factor: float, *, idle: bool) -> Flagged:
    what = (
        "Most SMs have no block"
        if idle and factor >= 2
        else "Some SMs have no block"
        if idle
        else ("Every SM has a block, but each holds few warps")
    )
    waiting = (
        1.0
        if idle
        else kernel.analysis.stall_share(
            "long_scoreboard", "short_scoreboard", "wait", "branch_resolving", "no_instruction", "lg_throttle"
        )
    )
    return Flagged(
        message=f"{what}: {kernel.value(m.GRID_SIZE):.0f} blocks for {kernel.value(m.SM_COUNT):.0f} SMs.",
        because=because,
        effect=Effect(
            exposed=waiting,
            at_least=(1 / factor,),
            latency=True,
            spreads=idle,
            reached=_reached(kernel, factor) if idle else 0.0,
        ),
        advice=(
            "CUDA: more, smaller blocks; a finer decomposition (split-K, one row a block).",
            "Triton: smaller BLOCK_M/BLOCK_N, or SPLIT_K, so that the grid is a multiple of the SM count.",
            "Many small launches: batch them into one grid, or run them on concurrent streams.",
        ),
        confidence=Confidence.HIGH if idle else Confidence.MEDIUM,
        resource="launch",
    )


def _reached(kernel: Reading, factor: float) -> float:
    """How near the SMs that have a block are to what their busiest unit sustains: the others will be as near."""
    busiest = kernel.analysis.units.busiest("sm")
    return 0.0 if busiest is None else min(1.0, busiest.busy * factor / busiest.sustained)


RULE = Rule(
    id="small_grid",
    title="Grid too small for the GPU",
    requires=(m.GRID_SIZE, m.SM_COUNT),
    optional=(m.WAVES, m.THEORETICAL_OCCUPANCY, m.ACHIEVED_OCCUPANCY),
    limits=("blocks_per_sm", "thin_waves", "occupancy_room"),
    check=check,
)
