"""What the page shows, worked out of a diagnosis: facts, the kernel table, groups, panels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ncuanalyze.diagnosis import Diagnosis, KernelGroup
from ncuanalyze.render.html_findings import FindingView, KernelLink, finding_views
from ncuanalyze.render.html_panel import Panel, panel_of
from ncuanalyze.render.kernel_rows import KernelRow, kernel_rows
from ncuanalyze.render.metric_block import metric_block
from ncuanalyze.render.names import middle_cut, short_name, unit_name
from ncuanalyze.render.numbers import dimensions, duration, factor, pct
from ncuanalyze.render.peak import of_peak
from ncuanalyze.render.svg import spread_gauge

if TYPE_CHECKING:
    from markupsafe import Markup

NAME_WIDTH = 64
FILE_WIDTH = 120
OPEN_PANELS = 3
"""A report with at most this many kernels shows every panel open; a longer one only the first."""


@dataclass(frozen=True, kw_only=True)
class Row:
    """A line of the kernel table: a launch, or several that tell the same. ``place``: its rank by time, from 0."""

    place: int
    anchor: str
    title: str
    note: str
    duration_ns: float
    time: str
    share_pct: float | None
    bound: str
    limiter: str
    peak_pct: float
    peak: str
    headroom_pct: float | None
    gain: str
    no_gain: str
    at_roofline: bool
    pays: str


@dataclass(frozen=True, kw_only=True)
class GroupRow:
    """A line of the table of repeated kernels."""

    title: str
    launches: int
    total_ns: float
    share_pct: float | None
    minimum_ns: float
    median_ns: float
    maximum_ns: float
    spread: Markup


@dataclass(frozen=True, kw_only=True)
class Page:
    """The whole page but for the diagnosis itself."""

    title: str
    facts: tuple[tuple[str, str], ...]
    findings: tuple[FindingView, ...]
    rows: tuple[Row, ...]
    groups: tuple[GroupRow, ...]
    panels: tuple[Panel, ...]
    metrics: str
    newline: Markup


def page_of(diagnosis: Diagnosis) -> Page:
    """The page of a diagnosis. Kernels come by their share of the time; one kernel alone needs no table."""
    from markupsafe import Markup

    ordered = kernel_rows(diagnosis.kernels)
    links = {
        kernel.kernel.id: KernelLink(anchor=f"k{place}", title=short_name(kernel.kernel.demangled))
        for place, row in enumerate(ordered)
        for kernel in row.launches
    }
    several = len(ordered) > 1
    return Page(
        title=middle_cut(diagnosis.source.file, FILE_WIDTH) or "Kernel diagnosis",
        facts=_facts(diagnosis, len(ordered)),
        findings=finding_views(diagnosis.findings, links=links),
        rows=tuple(_row(place, row) for place, row in enumerate(ordered)) if several else (),
        groups=tuple(_group(group) for group in diagnosis.groups if len(group.kernels) > 1),
        panels=tuple(
            panel_of(row, place, opened=place == 0 or len(ordered) <= OPEN_PANELS)
            for place, row in enumerate(ordered)
        ),
        metrics=metric_block([row.slowest for row in ordered]),
        newline=Markup("\n"),
    )


def _facts(diagnosis: Diagnosis, kernels: int) -> tuple[tuple[str, str], ...]:
    device, source, launches = diagnosis.device, diagnosis.source, len(diagnosis.kernels)
    capability = f"CC {device.compute_capability}" if device.compute_capability else ""
    sms = f"{device.sm_count} SMs" if device.sm_count else ""
    facts = (
        ("GPU", ", ".join(part for part in (device.name, capability, sms) if part)),
        ("Kernels", str(kernels)),
        ("Launches", str(launches) if launches > kernels else ""),
        ("Time", duration(diagnosis.total_ns) if diagnosis.total_ns is not None else ""),
        ("ncu", source.ncu_version),
        ("Clocks", source.clock_control),
        ("Caches", source.cache_control),
        ("Replay", source.replay_mode),
        ("Driver", source.driver_version),
        ("Command", source.command),
    )
    return tuple((name, value) for name, value in facts if value)


def _row(place: int, row: KernelRow) -> Row:
    kernel = row.slowest
    best = next((finding for finding in kernel.findings if finding.kind == "cause"), None)
    peak_pct, peak = of_peak(kernel)
    return Row(
        place=place,
        anchor=f"k{place}",
        title=short_name(kernel.kernel.demangled, NAME_WIDTH),
        note=_note(row),
        duration_ns=row.duration_ns if row.duration_ns is not None else -1.0,
        time=duration(row.duration_ns),
        share_pct=row.share_pct,
        bound=kernel.bound.value,
        limiter=unit_name(kernel.limiter) if kernel.limiter else "none",
        peak_pct=peak_pct if peak_pct is not None else -1.0,
        peak=f"{pct(peak_pct)} of {peak}" if peak_pct is not None else "n/a",
        headroom_pct=kernel.headroom_pct if best and best.speedup else None,
        gain=factor(best.speedup.estimate) if best and best.speedup else "",
        no_gain="no estimate" if best else "none found",
        at_roofline=kernel.at_roofline,
        pays=best.title if best else "",
    )


def _note(row: KernelRow) -> str:
    kernel = row.slowest
    parts = [f"{len(row.launches)} launches"] if len(row.launches) > 1 else []
    parts += [f"grid {dimensions(kernel.kernel.grid)}"] if kernel.kernel.grid else []
    if row.nvtx:
        parts.append(middle_cut(" / ".join(row.nvtx), NAME_WIDTH))
    return ", ".join(parts)


def _group(group: KernelGroup) -> GroupRow:
    from markupsafe import Markup

    return GroupRow(
        title=short_name(group.name, NAME_WIDTH),
        launches=len(group.kernels),
        total_ns=group.total_ns,
        share_pct=group.share_pct,
        minimum_ns=group.minimum_ns,
        median_ns=group.median_ns,
        maximum_ns=group.maximum_ns,
        spread=Markup(spread_gauge(group)),
    )
