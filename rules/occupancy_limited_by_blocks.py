"""Latency is exposed because the number of blocks an SM holds keeps more warps off the SM.

Why it matters
    With few resident warps, the schedulers find none that is ready while the others wait.

When it fires
    This resource allows the fewest blocks, theoretical occupancy is low, schedulers often have nothing to issue, and
    the warps wait for latency that more warps would cover.

When it stays quiet
    Kernels near a roof, and Tensor Core kernels: those peak at 12-50 % occupancy.

What to try
    CUDA: more threads a block (128 to 256): an SM holds 16 to 32 blocks whatever their size.
"""

from dataclasses import replace

from ncuanalyze import metrics as m
from ncuanalyze.diagnosis import Evidence, at_least, fact
from ncuanalyze.rule import Limits, Outcome, Reading, Rule

from ._warps_needed import OPTIONAL, REQUIRED, Room, room_for_warps


def check(kernel: Reading, limits: Limits) -> Outcome:
    """Ask whether the block limit keeps warps out, or the rate at which small blocks can be launched."""
    room = room_for_warps(kernel, m.LIMIT_BLOCKS, limits)
    if not isinstance(room, Room):
        return room
    rate = _launch_rate(kernel, limits["blocks_per_cycle"])
    achieved = kernel.maybe(m.ACHIEVED_OCCUPANCY)
    if rate is not None and rate.holds and achieved:
        found = fact("achieved occupancy", m.ACHIEVED_OCCUPANCY.name, achieved, "%")
        growth = room.growth * (room.because[0].value / achieved)
        room = replace(room, because=(*room.because, rate, found), growth=growth)
    return room.flagged(
        "The block limit allows",
        "CUDA: more threads a block (128 to 256): an SM holds 16 to 32 blocks whatever their size.",
        "Triton: more num_warps (4 or 8) with a larger BLOCK, so that each program brings more warps.",
    )


def _launch_rate(kernel: Reading, limit: float) -> Evidence | None:
    """Blocks launched a cycle of the whole GPU: about one is the hardware's limit."""
    blocks, cycles = kernel.maybe(m.GRID_SIZE), kernel.maybe(m.SM_CYCLES_ELAPSED_MAX)
    if blocks is None or not cycles:
        return None
    metric = f"{m.GRID_SIZE.name} / {m.SM_CYCLES_ELAPSED_MAX.name}"
    return at_least("blocks launched a cycle", metric, blocks / cycles, limit, "block/cycle")


RULE = Rule(
    id="occupancy_limited_by_blocks",
    title="Occupancy limited by the number of blocks an SM holds",
    requires=REQUIRED,
    optional=(*OPTIONAL, m.ACHIEVED_OCCUPANCY, m.GRID_SIZE, m.SM_CYCLES_ELAPSED_MAX),
    limits=("occupancy_pct", "quiet_occupancy_pct", "quiet_pct", "waiting_pct", "blocks_per_cycle"),
    needs_stalls=True,
    check=check,
)
