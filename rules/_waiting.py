"""The share of the waiting that some stall reasons take, for the rules whose cause is one kind of wait."""

from __future__ import annotations

from ncuanalyze.diagnosis import Evidence, at_least
from ncuanalyze.rule import Clear, NotApplicable, Reading


def waiting_for(kernel: Reading, label: str, limit_pct: float, *reasons: str) -> Evidence | Clear | NotApplicable:
    """The evidence that these stalls take ``limit_pct`` of all waiting, where schedulers lack work; else why not."""
    stalls = kernel.analysis.stalls
    if stalls is None or not stalls.matter:
        return NotApplicable("the schedulers issue nearly every cycle")
    share_pct = 100 * kernel.analysis.stall_share(*reasons)
    share = at_least(label, "share of warp states", share_pct, limit_pct, "%")
    return share if share.holds else Clear(because=(share,))
