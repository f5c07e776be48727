"""How long warps wait and for what, for the rules whose cause is a kind of wait."""

from __future__ import annotations

from ncuanalyze import metrics as m
from ncuanalyze.diagnosis import Evidence, at_least
from ncuanalyze.rule import Clear, NotApplicable, Reading

SPIN_PCT = 20.0
"""A fifth of the waiting asleep: the warps are in a spin loop."""
POLLS = "warps sleep in a spin loop: what they load between the sleeps is what they poll"


def spins(kernel: Reading) -> bool:
    """Whether warps sleep so much that their loads and their idle lanes are those of a loop that polls."""
    return 100 * kernel.analysis.stall_share("sleeping") >= SPIN_PCT


def waiting_for(kernel: Reading, label: str, limit_pct: float, *reasons: str) -> Evidence | Clear | NotApplicable:
    """The evidence that these stalls take ``limit_pct`` of all waiting, where schedulers lack work; else why not."""
    stalls = kernel.analysis.stalls
    if stalls is None or not stalls.matter:
        return NotApplicable("the schedulers issue nearly every cycle")
    share_pct = 100 * kernel.analysis.stall_share(*reasons)
    share = at_least(label, "share of warp states", share_pct, limit_pct, "%")
    return share if share.holds else Clear(because=(share,))


def wait_per_load(kernel: Reading) -> float | None:
    """Cycles that a warp waits for each load of global memory; None without loads or stall data.

    A lone load waits the whole latency; of eight in flight each seems to wait an eighth.
    """
    stalls, loads, executed = kernel.analysis.stalls, kernel.maybe(m.GLOBAL_LOAD_REQUESTS), kernel.maybe(m.INSTRUCTIONS)
    if stalls is None or not loads or executed is None:
        return None
    return sum(s.cycles_per_issue for s in stalls.reasons if s.reason == "long_scoreboard") * executed / loads
