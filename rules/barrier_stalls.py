"""Warps wait for the slowest warp of their block at __syncthreads.

Why it matters
    While most warps of a block wait, only the last one issues.

When it fires
    Barrier waits take at least the threshold of all waiting and schedulers have nothing to issue. Where a kernel loads
    next to nothing, waits for memory are waits for asynchronous barriers (mbarrier), which warps poll. In a cluster,
    waits for fences are those of the cluster's barriers.

When it stays quiet
    Kernels at a roof: waiting costs nothing there. Warps that sleep while the others wait for them.

What to try
    Even work between the warps, fewer barriers, smaller blocks, named barriers or warp-level synchronisation.
"""

from ncuanalyze import metrics as m
from ncuanalyze.analysis.gain import Effect
from ncuanalyze.diagnosis import Confidence, at_least
from ncuanalyze.rule import Clear, Flagged, Limits, NotApplicable, Outcome, Reading, Rule

from ._waiting import spins

CLUSTER_WAITS = ("membar",)
"""A barrier of a cluster releases and acquires: its wait shows as one for a fence."""
MEMORY = (m.GLOBAL_LOADS, m.TMA_LOADS, m.ASYNC_COPIES, m.LOCAL_LOADS)


def check(kernel: Reading, limits: Limits) -> Outcome:
    """Weigh these stalls against all waiting, where schedulers have nothing to issue."""
    stalls = kernel.analysis.stalls
    if stalls is None or not stalls.matter:
        return NotApplicable("the schedulers issue nearly every cycle")
    if spins(kernel):
        return NotApplicable("the warps that the others wait for sleep")
    blocked = kernel.analysis.stall_share("barrier", *(CLUSTER_WAITS if _in_clusters(kernel) else ()))
    polled = kernel.analysis.stall_share("long_scoreboard") if _polls_barriers(kernel, limits) else 0.0
    hidden = blocked + polled
    share = at_least("warps waiting at a barrier", "share of warp states", 100 * hidden, limits["stall_pct"], "%")
    if not share.holds:
        return Clear(because=(share,))
    where = (
        "at block barriers"
        if blocked >= polled
        else "at asynchronous barriers; next to nothing is loaded, so long_scoreboard is mbarrier polling"
    )
    return Flagged(
        message=f"{share.value:.3g}% of the waiting is {where}.",
        because=(share,),
        effect=Effect(removes={"sm__inst_executed_pipe_adu": limits["removable_share"]}, exposed=hidden, latency=True),
        advice=(
            "CUDA: give every warp the same work between barriers; use __syncwarp or cooperative groups where a warp "
            "suffices.",
            "CUDA: smaller blocks, so that another block can run while one waits; double-buffer to drop one barrier "
            "of two.",
            "Warp-specialised kernels: more producer warps or a deeper ring, so that consumers find their tile ready.",
            "Triton: fewer reductions across warps (num_warps=1-4 for short rows), or several rows a program.",
        ),
        confidence=Confidence.HIGH,
        resource="latency",
        counter="barrier_samples",
    )


def _in_clusters(kernel: Reading) -> bool:
    return (kernel.maybe(m.CLUSTER_SIZE) or 0) > 1


def _polls_barriers(kernel: Reading, limits: Limits) -> bool:
    """Warps poll an mbarrier through the same queue as loads: with next to no loads, that is what they wait for."""
    loads, executed = [kernel.maybe(ref) for ref in MEMORY], kernel.maybe(m.INSTRUCTIONS)
    known = [count for count in loads if count is not None]
    if loads[0] is None or not executed:
        return False
    return 100 * sum(known) / executed < limits["memory_pct"]


RULE = Rule(
    id="barrier_stalls",
    title="Warps wait at barriers",
    optional=(*MEMORY, m.INSTRUCTIONS, m.CLUSTER_SIZE),
    limits=("stall_pct", "memory_pct", "removable_share"),
    needs_stalls=True,
    check=check,
)
