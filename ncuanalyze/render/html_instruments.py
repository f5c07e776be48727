"""The instruments of a panel: units, memory path, stalls, occupancy, with their notes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ncuanalyze.diagnosis import KernelDiagnosis, Stall, UnitLoad
from ncuanalyze.render.charts import roofline_svg
from ncuanalyze.render.names import unit_name
from ncuanalyze.render.numbers import count, digits, pct, si
from ncuanalyze.render.svg import level_name, memory_path

if TYPE_CHECKING:
    from markupsafe import Markup

CHART_WIDTH = 700
UNITS_SHOWN = 10
STALLS_SHOWN = 7
MEANINGS_SHOWN = 3
LEAST_SHOWN_PCT = 1.0
"""Units and stall reasons below this share are left out: their bar would be a dot."""


@dataclass(frozen=True, kw_only=True)
class UnitView:
    """A unit's load; ``limiter`` marks the one that bounds the kernel."""

    name: str
    load: UnitLoad
    limiter: bool


@dataclass(frozen=True, kw_only=True)
class LimitView:
    """Blocks on an SM that one resource allows, and their share of the largest limit."""

    name: str
    blocks: float
    share_pct: float
    limiter: bool


@dataclass(frozen=True, kw_only=True)
class Instruments:
    """What is drawn of one kernel; None or empty where the report does not hold it."""

    roofline: Markup | None
    units: tuple[UnitView, ...]
    sustained: bool
    memory: Markup | None
    memory_notes: tuple[str, ...]
    stalls: tuple[Stall, ...]
    stall_note: str
    limits: tuple[LimitView, ...]
    occupancy_note: str


def instruments_of(kernel: KernelDiagnosis, title: str) -> Instruments:
    """The instruments of a kernel; ``title`` is what its roofline is called."""
    from markupsafe import Markup

    units = _units(kernel)
    return Instruments(
        roofline=_roofline(kernel, title),
        units=units,
        sustained=any(unit.load.sustained_pct is not None for unit in units),
        memory=Markup(memory_path(kernel.memory)) if kernel.memory and kernel.memory.levels else None,
        memory_notes=_memory_notes(kernel),
        stalls=_stalls(kernel),
        stall_note=_stall_note(kernel),
        limits=_limits(kernel),
        occupancy_note=_occupancy_note(kernel),
    )


def _units(kernel: KernelDiagnosis) -> tuple[UnitView, ...]:
    loads = kernel.speed_of_light.units[:UNITS_SHOWN] if kernel.speed_of_light else ()
    return tuple(
        UnitView(name=unit_name(load.unit), load=load, limiter=load.unit == kernel.limiter)
        for load in loads
        if load.pct >= LEAST_SHOWN_PCT or load.unit == kernel.limiter
    )


def _roofline(kernel: KernelDiagnosis, title: str) -> Markup | None:
    from markupsafe import Markup

    if kernel.roofline is None:
        return None
    chart = roofline_svg(kernel.roofline, title=title, heading=False, theme="none", width=CHART_WIDTH)
    return Markup(chart) if chart else None


def _memory_notes(kernel: KernelDiagnosis) -> tuple[str, ...]:
    memory = kernel.memory
    if memory is None:
        return ()
    notes = [f"{level_name(level.level)}: {level.unreliable}." for level in memory.levels if level.unreliable]
    local = next((level for level in memory.levels if level.level == "local"), None)
    if local and local.bytes:
        notes.append(f"{si(local.bytes, 'byte')} of the L1 traffic is local memory (spills).")
    if memory.sectors_per_request_load is not None:
        notes.append(f"A global load touches {digits(memory.sectors_per_request_load)} sectors a request.")
    return tuple(notes)


def _stalls(kernel: KernelDiagnosis) -> tuple[Stall, ...]:
    reasons = kernel.stalls.reasons[:STALLS_SHOWN] if kernel.stalls else ()
    return tuple(
        stall if place < MEANINGS_SHOWN else replace(stall, meaning="")
        for place, stall in enumerate(reasons)
        if stall.share_pct >= LEAST_SHOWN_PCT
    )


def _stall_note(kernel: KernelDiagnosis) -> str:
    stalls = kernel.stalls
    if stalls is None:
        return ""
    parts = []
    if stalls.issue_active is not None:
        parts.append(f"A scheduler issues in {pct(100 * stalls.issue_active)} of its cycles")
    if stalls.latency_cycles is not None:
        parts.append(f"a warp waits {digits(stalls.latency_cycles)} cycles between two instructions")
    said = ", ".join(parts)
    verdict = "" if stalls.matter else " Stalls do not bound this kernel: another warp is usually ready."
    return f"{said}.{verdict}" if said else verdict.strip()


def _limits(kernel: KernelDiagnosis) -> tuple[LimitView, ...]:
    occupancy = kernel.occupancy
    if occupancy is None or not occupancy.limits:
        return ()
    largest = max(occupancy.limits.values()) or 1.0
    return tuple(
        LimitView(
            name=name,
            blocks=blocks,
            share_pct=100 * blocks / largest,
            limiter=name in occupancy.limiters,
        )
        for name, blocks in sorted(occupancy.limits.items(), key=lambda item: item[1])
    )


def _occupancy_note(kernel: KernelDiagnosis) -> str:
    occupancy = kernel.occupancy
    if occupancy is None:
        return ""
    facts = (
        (occupancy.threads_per_block, "threads a block", count),
        (occupancy.registers_per_thread, "registers a thread", count),
        (occupancy.shared_bytes_per_block, "of shared memory a block", lambda value: si(value, "byte")),
        (occupancy.waves_per_sm, "waves", digits),
    )
    said = [f"{shown(value)} {name}" for value, name, shown in facts if value is not None]
    return f"{', '.join(said)}." if said else ""
