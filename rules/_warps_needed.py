"""Whether more resident warps would hide the latency that a kernel exposes, and which resource keeps them out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ncuanalyze import metrics as m
from ncuanalyze.analysis.gain import Effect
from ncuanalyze.diagnosis import Confidence, Evidence, at_least, below
from ncuanalyze.rule import Clear, Flagged, NotApplicable, Reading

LIMITS = (m.LIMIT_REGISTERS, m.LIMIT_SHARED, m.LIMIT_BLOCKS, m.LIMIT_WARPS)
REQUIRED = (m.THEORETICAL_OCCUPANCY, *LIMITS)
OPTIONAL = (m.WAVES,)
HIDEABLE = ("long_scoreboard", "short_scoreboard", "wait", "branch_resolving", "barrier", "no_instruction")
"""Stalls of one warp during which another can issue."""
TENSOR_PCT = 20.0
"""A kernel whose tensor pipes work this much is fed by asynchronous copies, not by warps."""


@dataclass(frozen=True, kw_only=True)
class Room:
    """What one resource keeps out: it allows ``blocks`` an SM, and without it ``growth`` times the warps would fit.

    ``hidden`` is the share of the exposed time that they would hide; theoretical occupancy comes first in ``because``.
    """

    blocks: float
    because: tuple[Evidence, ...]
    growth: float
    hidden: float

    def flagged(self, allows: str, *advice: str) -> Flagged:
        """The finding; ``allows`` begins its sentence: the resource, and the verb."""
        return Flagged(
            message=f"{allows} {self.blocks:.0f} blocks an SM: {self.because[0].value:.3g}% occupancy.",
            because=self.because,
            effect=Effect(exposed=self.hidden, at_least=(1 / max(self.growth, 1.0),), latency=True),
            advice=advice,
            confidence=Confidence.HIGH,
            resource="occupancy",
        )


def room_for_warps(kernel: Reading, mine: m.MetricRef, limits: Mapping[str, float]) -> Room | Clear | NotApplicable:
    """What the resource keeps out, where more warps would hide latency; else why not.

    ``limits`` needs ``occupancy_pct`` (below it occupancy counts as low), ``quiet_occupancy_pct`` (the same where no
    unit is busy for ``quiet_pct`` of what it sustains: the time is inverse to the warps) and ``waiting_pct`` (of
    hideable stalls).
    """
    blocks = kernel.value(mine)
    if blocks > min(kernel.value(ref) for ref in LIMITS):
        return NotApplicable("another resource limits occupancy first")
    if blocks <= 0 or kernel.value(m.THEORETICAL_OCCUPANCY) <= 0:
        return NotApplicable("occupancy was not computed")
    waves = kernel.maybe(m.WAVES)
    if waves is not None and waves < 1:
        return NotApplicable("the grid does not fill the SMs as they are: no limit keeps a warp out")
    tensor = kernel.analysis.tensor
    if tensor is not None and tensor.total_pct >= TENSOR_PCT:
        return NotApplicable("Tensor Core kernels peak at low occupancy")
    low = below(
        "theoretical occupancy",
        m.THEORETICAL_OCCUPANCY.name,
        kernel.value(m.THEORETICAL_OCCUPANCY),
        limits["quiet_occupancy_pct" if 100 * kernel.analysis.covered < limits["quiet_pct"] else "occupancy_pct"],
        "%",
    )
    hidden = kernel.analysis.stall_share(*HIDEABLE)
    waiting = at_least(
        "stalls that more warps would hide", "share of warp states", 100 * hidden, limits["waiting_pct"], "%"
    )
    stalls = kernel.analysis.stalls
    if not low.holds or not waiting.holds or stalls is None or not stalls.matter:
        return Clear(because=(low, waiting))
    return Room(blocks=blocks, because=(low, waiting), growth=_growth(kernel, mine, low.value), hidden=hidden)


def _growth(kernel: Reading, mine: m.MetricRef, occupancy_pct: float) -> float:
    """How many times the warps fit once only the other resources limit, at most the SM's own size.

    Fewer, larger blocks need less shared memory in all (the driver reserves some for each), so shared memory does not
    stand in the way of lifting the block limit.
    """
    refs = [ref for ref in LIMITS if ref is not mine and not (mine is m.LIMIT_BLOCKS and ref is m.LIMIT_SHARED)]
    others = min(kernel.value(ref) for ref in refs)
    return max(1.0, min(100 / occupancy_pct, others / kernel.value(mine)))
