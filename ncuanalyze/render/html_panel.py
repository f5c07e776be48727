"""What one kernel's panel shows, worked out of its diagnosis."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ncuanalyze.diagnosis import Bound, KernelDiagnosis, NvidiaResult, Stall, UnitLoad
from ncuanalyze.render.ceiling import nearest_roof
from ncuanalyze.render.charts import roofline_svg
from ncuanalyze.render.html_findings import FindingView, finding_views
from ncuanalyze.render.html_source import Column, FileView, LineView, SassRow, source_view
from ncuanalyze.render.names import ELLIPSIS, middle_cut, short_name, unit_name
from ncuanalyze.render.numbers import (
    count,
    digits,
    dimensions,
    duration,
    pct,
    si,
    speedup_text,
)
from ncuanalyze.render.svg import level_name, memory_path

if TYPE_CHECKING:
    from markupsafe import Markup

TITLE_WIDTH = 80
NVTX_WIDTH = 160
UNITS_SHOWN = 10
CHART_WIDTH = 700
LEAST_SHOWN_PCT = 0.5
"""Units and stall reasons below this share are left out: their bar would be a dot."""
MESSAGE_LENGTH = 280
"""NVIDIA's messages go on with what each counter is; the first sentences say what it found."""
STALLS_SHOWN = 8
MEANINGS_SHOWN = 3


_WHY = {
    Bound.COMPUTE: "compute-bound",
    Bound.MEMORY: "memory-bound",
    Bound.LATENCY: "latency-bound",
}


@dataclass(frozen=True, kw_only=True)
class Figure:
    """A key number of the panel's head."""

    name: str
    value: str
    note: str = ""


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
class Panel:
    """One kernel on the page."""

    index: int
    anchor: str
    kernel: KernelDiagnosis
    title: str
    name_differs: bool
    subtitle: str
    figures: tuple[Figure, ...]
    open: bool
    contents: str
    findings: tuple[FindingView, ...]
    no_findings: str
    roofline: Markup | None
    units: tuple[UnitView, ...]
    sustained: bool
    memory: Markup | None
    memory_notes: tuple[str, ...]
    stalls: tuple[Stall, ...]
    stall_note: str
    limits: tuple[LimitView, ...]
    occupancy_note: str
    lines: tuple[LineView, ...]
    columns: tuple[Column, ...]
    files: tuple[FileView, ...]
    sass: tuple[SassRow, ...]
    nvidia: tuple[NvidiaResult, ...]
    links: tuple[tuple[str, str], ...]
    why: str


def panel_of(kernel: KernelDiagnosis, index: int, *, opened: bool) -> Panel:
    """The panel of the kernel that stands at place ``index`` (from 0) of the page."""
    from markupsafe import Markup

    anchor = f"k{index}"
    title = short_name(kernel.kernel.demangled, TITLE_WIDTH)
    source = source_view(kernel.source_hotspots, anchor)
    units = tuple(
        UnitView(name=unit_name(unit.unit), load=unit, limiter=unit.unit == kernel.limiter)
        for unit in (kernel.speed_of_light.units[:UNITS_SHOWN] if kernel.speed_of_light else ())
        if unit.pct >= LEAST_SHOWN_PCT or unit.unit == kernel.limiter
    )
    return Panel(
        index=index,
        anchor=anchor,
        kernel=kernel,
        title=title,
        name_differs=title != kernel.kernel.demangled,
        subtitle=_subtitle(kernel),
        figures=_figures(kernel),
        open=opened,
        contents=_contents(kernel),
        findings=finding_views(kernel.findings, anchors={line.key: line.anchor for line in source.lines}),
        no_findings="At the roof: only less work makes it faster."
        if kernel.at_roofline
        else "No cause found.",
        roofline=_roofline(kernel, title),
        units=units,
        sustained=any(unit.load.sustained_pct is not None for unit in units),
        memory=Markup(memory_path(kernel.memory)) if kernel.memory and kernel.memory.levels else None,
        memory_notes=_memory_notes(kernel),
        stalls=_stalls(kernel),
        stall_note=_stall_note(kernel),
        limits=_limits(kernel),
        occupancy_note=_occupancy_note(kernel),
        lines=source.lines,
        columns=source.columns,
        files=source.files,
        sass=source.sass,
        nvidia=_nvidia(kernel),
        links=_links(kernel),
        why=_WHY.get(kernel.bound, kernel.bound.value),
    )


def _roofline(kernel: KernelDiagnosis, title: str) -> Markup | None:
    from markupsafe import Markup

    if kernel.roofline is None:
        return None
    chart = roofline_svg(kernel.roofline, title=title, heading=False, theme="none", width=CHART_WIDTH)
    return Markup(chart) if chart else None


def _subtitle(kernel: KernelDiagnosis) -> str:
    launch = kernel.kernel
    parts = [duration(kernel.duration_ns)]
    if kernel.time_share_pct is not None:
        parts.append(f"{pct(kernel.time_share_pct)} of the time")
    if launch.grid or launch.block:
        parts.append(f"grid {dimensions(launch.grid)}, block {dimensions(launch.block)}")
    if launch.nvtx:
        parts.append(f"NVTX {middle_cut(' / '.join(launch.nvtx), NVTX_WIDTH)}")
    if launch.workload != "kernel":
        parts.append(launch.workload)
    parts.append(f"launch {launch.id}")
    return " · ".join(parts)


def _figures(kernel: KernelDiagnosis) -> tuple[Figure, ...]:
    best = next((f for f in kernel.findings if f.speedup), None)
    figures = [Figure(name="Limiter", value=unit_name(kernel.limiter) if kernel.limiter else "none named")]
    share, roof = nearest_roof(kernel)
    if share is not None:
        figures.append(Figure(name="Of the nearest roof", value=pct(share), note=roof))
    if kernel.speed_of_light:
        figures += [
            Figure(name="SM busy", value=pct(kernel.speed_of_light.sm_pct)),
            Figure(name="Memory busy", value=pct(kernel.speed_of_light.memory_pct)),
        ]
    if kernel.at_roofline:
        figures.append(Figure(name="Gain", value="at the roof"))
    elif best and best.speedup:
        estimate, _, interval = speedup_text(best.speedup).partition(" ")
        figures.append(Figure(name="Pays most", value=estimate, note=interval))
    return tuple(figures)


def _contents(kernel: KernelDiagnosis) -> str:
    named = f"{len(kernel.findings)} finding{'s' if len(kernel.findings) != 1 else ''}"
    present = (
        (True, named),
        (bool(kernel.roofline), "roofline"),
        (bool(kernel.speed_of_light), "units"),
        (bool(kernel.memory), "memory"),
        (bool(kernel.stalls), "stalls"),
        (bool(kernel.occupancy), "occupancy"),
        (bool(kernel.source_hotspots), "source"),
    )
    return ", ".join(name for shown, name in present if shown)


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


def _nvidia(kernel: KernelDiagnosis) -> tuple[NvidiaResult, ...]:
    return tuple(
        replace(result, title=result.title or result.rule, message=_cut(result.message))
        for result in kernel.nvidia_results
    )


def _links(kernel: KernelDiagnosis) -> tuple[tuple[str, str], ...]:
    """The guides NVIDIA's results point to, once each; nothing but https is a link."""
    pairs = {url: text for result in kernel.nvidia_results for text, url in result.links}
    return tuple((text or url, url) for url, text in pairs.items() if url.startswith("https://"))


def _cut(text: str) -> str:
    if len(text) <= MESSAGE_LENGTH:
        return text
    return f"{text[:MESSAGE_LENGTH].rpartition(' ')[0] or text[:MESSAGE_LENGTH]}{ELLIPSIS}"


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
