"""How long warps wait and for what, for the rules whose cause is a kind of wait."""

from __future__ import annotations

from ncuanalyze import metrics as m
from ncuanalyze.analysis.host import host_link
from ncuanalyze.diagnosis import Evidence, at_least
from ncuanalyze.rule import Clear, NotApplicable, Reading

SPIN_PCT = 20.0
"""A fifth of the waiting asleep: the warps are in a spin loop."""
POLLS = "warps sleep in a spin loop: what they load between the sleeps is what they poll"

QUEUE_CYCLES = 10_000.0
"""A lone read over PCIe takes 1 to 2 us, 2,000 to 4,000 cycles: one that waits for longer stands in a queue."""
QUEUED = "loads stand in a queue for the host link: more of them only make it longer"


def spins(kernel: Reading) -> bool:
    """Whether warps sleep so much that their loads and their idle lanes are those of a loop that polls."""
    return 100 * asleep(kernel) >= SPIN_PCT


def asleep(kernel: Reading) -> float:
    """The share (0-1) that sleeping takes of the waiting outside barriers: warps at a barrier wait for the sleeper."""
    elsewhere = 1 - kernel.analysis.stall_share("barrier")
    return kernel.analysis.stall_share("sleeping") / elsewhere if elsewhere > 0 else 0.0


def queues_for_host(kernel: Reading, link_share_pct: float) -> bool:
    """Whether the loads wait for the host link, which carries less than its ceiling where each moves one sector."""
    link, wait = host_link(kernel.analysis), wait_per_load(kernel)
    return link is not None and link.share_pct >= link_share_pct and wait is not None and wait >= QUEUE_CYCLES


def waiting_for(kernel: Reading, label: str, limit_pct: float, *reasons: str) -> Evidence | Clear | NotApplicable:
    """The evidence that these stalls take ``limit_pct`` of all waiting, where schedulers lack work; else why not."""
    return much_waiting(kernel, label, limit_pct, kernel.analysis.stall_share(*reasons))


def much_waiting(kernel: Reading, label: str, limit_pct: float, share: float) -> Evidence | Clear | NotApplicable:
    """As ``waiting_for``, of a share (0-1) of the waiting."""
    stalls = kernel.analysis.stalls
    if stalls is None or not stalls.matter:
        return NotApplicable("the schedulers issue nearly every cycle")
    found = at_least(label, "share of warp states", 100 * share, limit_pct, "%")
    return found if found.holds else Clear(because=(found,))


def wait_per_load(kernel: Reading) -> float | None:
    """Cycles that a warp waits for each load of global memory; None without loads or stall data.

    A lone load waits the whole latency; of eight in flight each seems to wait an eighth.
    """
    stalls, loads, executed = kernel.analysis.stalls, kernel.maybe(m.GLOBAL_LOAD_REQUESTS), kernel.maybe(m.INSTRUCTIONS)
    if stalls is None or not loads or executed is None:
        return None
    return sum(s.cycles_per_issue for s in stalls.reasons if s.reason == "long_scoreboard") * executed / loads
