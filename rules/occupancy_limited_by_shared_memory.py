"""Latency is exposed because shared memory keeps more warps off the SM.

Why it matters
    With few resident warps, the schedulers find none that is ready while the others wait.

When it fires
    This resource allows the fewest blocks, theoretical occupancy is low, schedulers often have nothing to issue, and
    the warps wait for latency that more warps would cover.

When it stays quiet
    Kernels near a roof, and Tensor Core kernels: those peak at 12-50 % occupancy.

What to try
    CUDA: smaller tiles or fewer stages; store tiles in a narrower type; release what is no longer used.
"""

from ncuanalyze import metrics as m
from ncuanalyze.rule import Limits, Outcome, Reading, Rule

from ._warps_needed import OPTIONAL, REQUIRED, Room, room_for_warps


def check(kernel: Reading, limits: Limits) -> Outcome:
    """Ask whether this resource limits, and what the next one would allow."""
    room = room_for_warps(kernel, m.LIMIT_SHARED, limits)
    if not isinstance(room, Room):
        return room
    return room.flagged(
        "Shared memory allows",
        "CUDA: smaller tiles or fewer stages; store tiles in a narrower type; release what is no longer used.",
        "Triton: fewer num_stages or smaller BLOCK_K; each stage holds (BLOCK_M + BLOCK_N) * BLOCK_K elements.",
    )


RULE = Rule(
    id="occupancy_limited_by_shared_memory",
    title="Occupancy limited by shared memory",
    requires=REQUIRED,
    optional=OPTIONAL,
    limits=("occupancy_pct", "quiet_occupancy_pct", "quiet_pct", "waiting_pct"),
    needs_stalls=True,
    check=check,
)
