"""Where warps wait: stall reasons as shares of the issue latency."""

from __future__ import annotations

from functools import cache
from typing import Any

from ncuanalyze import metrics as m
from ncuanalyze.analysis.reading import first_number
from ncuanalyze.data import table
from ncuanalyze.diagnosis import Stall, Stalls
from ncuanalyze.profile import KernelLaunch


def stall_table() -> dict[str, Any]:
    """``stalls.toml``: the issue-rate gate and, per reason, its spellings and meaning."""
    return table("analysis", "stalls")


def stalls_of(launch: KernelLaunch) -> Stalls | None:
    """Stall reasons, longest first, from ncu's counters, else from its samples; None where there are neither."""
    issue = first_number(launch, m.ISSUE_ACTIVE)
    latency = first_number(launch, m.WARP_LATENCY)
    cycles, source = _collect(launch, _COUNTERS), "counters"
    if not cycles:
        cycles, source = _collect(launch, _SAMPLES), "samples"
    if not cycles:
        return None
    whole = sum(cycles.values())
    if whole <= 0:
        return None
    selected = cycles.pop("selected", None)
    ordered = sorted(cycles.items(), key=lambda item: (-item[1], item[0]))
    return Stalls(
        issue_active=issue,
        latency_cycles=latency,
        selected_pct=None if selected is None else 100 * selected / whole,
        reasons=tuple(_stall(reason, value, whole, latency) for reason, value in ordered if value > 0),
        matter=issue is None or issue < float(stall_table()["issue_active_gate"]["value"]),
        source=source,
    )


def _stall(reason: str, value: float, whole: float, latency: float | None) -> Stall:
    share = value / whole
    return Stall(
        reason=reason,
        cycles_per_issue=share * (latency if latency is not None else whole),
        share_pct=100 * share,
        meaning=stall_table()["reason"][reason]["meaning"],
    )


_COUNTERS = (
    "smsp__average_warps_issue_stalled_{}_per_issue_active.ratio",
    "smsp__average_warp_latency_issue_stalled_{}.ratio",
)
"""The present name, then the older one."""
_SAMPLES = ("smsp__pcsamp_warps_issue_stalled_{}",)


def _collect(launch: KernelLaunch, patterns: tuple[str, ...]) -> dict[str, float]:
    found = {}
    for reason, names in _names(patterns).items():
        value = next((v for v in map(launch.number, names) if v is not None), None)
        if value is not None:
            found[reason] = value
    return found


@cache
def _names(patterns: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """The metrics of each stall reason, the preferred one first."""
    return {
        reason: tuple(
            pattern.format(spelling) for pattern in patterns for spelling in (reason, *entry.get("spellings", ()))
        )
        for reason, entry in stall_table()["reason"].items()
    }
