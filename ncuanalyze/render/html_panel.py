"""What one kernel's panel shows, worked out of its diagnosis."""

from __future__ import annotations

from dataclasses import dataclass

from ncuanalyze.diagnosis import Bound, KernelDiagnosis, NvidiaResult
from ncuanalyze.render.html_asides import collect_command, guide_links, nvidia_results
from ncuanalyze.render.html_findings import FindingView, finding_views
from ncuanalyze.render.html_instruments import Instruments, instruments_of
from ncuanalyze.render.html_source import SourceView, source_view
from ncuanalyze.render.kernel_rows import KernelRow
from ncuanalyze.render.names import middle_cut, short_name, unit_name
from ncuanalyze.render.numbers import dimensions, duration, pct, speedup_text
from ncuanalyze.render.peak import of_peak

TITLE_WIDTH = 80
NVTX_WIDTH = 160
MISSING_OPEN = 3
"""A longer list of what is missing starts folded."""

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
class Panel:
    """One kernel on the page. ``launches``: all that it stands for, where it is not one."""

    index: int
    anchor: str
    kernel: KernelDiagnosis
    launches: tuple[KernelDiagnosis, ...]
    title: str
    name_differs: bool
    subtitle: str
    figures: tuple[Figure, ...]
    open: bool
    contents: str
    why: str
    findings: tuple[FindingView, ...]
    no_findings: str
    instruments: Instruments
    source: SourceView
    nvidia: tuple[NvidiaResult, ...]
    links: tuple[tuple[str, str], ...]
    collect: str
    missing_open: bool


def panel_of(row: KernelRow, index: int, *, opened: bool) -> Panel:
    """The panel of the kernel that stands at place ``index`` (from 0) of the page: the slowest launch, all times."""
    kernel = row.slowest
    anchor = f"k{index}"
    title = short_name(kernel.kernel.demangled, TITLE_WIDTH)
    source = source_view(kernel.source_hotspots, anchor)
    at_roof = "At the roof: only less work makes it faster."
    return Panel(
        index=index,
        anchor=anchor,
        kernel=kernel,
        launches=row.launches if len(row.launches) > 1 else (),
        title=title,
        name_differs=title != kernel.kernel.demangled,
        subtitle=_subtitle(row),
        figures=_figures(kernel),
        open=opened,
        contents=_contents(kernel),
        why=_WHY.get(kernel.bound, kernel.bound.value),
        findings=finding_views(kernel.findings, anchors={line.key: line.anchor for line in source.lines}),
        no_findings=at_roof if kernel.at_roofline else "No cause found.",
        instruments=instruments_of(kernel, title),
        source=source,
        nvidia=nvidia_results(kernel),
        links=guide_links(kernel),
        collect=collect_command(kernel.missing),
        missing_open=len(kernel.missing) <= MISSING_OPEN,
    )


def _subtitle(row: KernelRow) -> str:
    launch = row.slowest.kernel
    parts = [_times(row)]
    if row.share_pct is not None:
        parts.append(f"{pct(row.share_pct)} of the time")
    if launch.grid or launch.block:
        parts.append(f"grid {dimensions(launch.grid)}, block {dimensions(launch.block)}")
    if row.nvtx:
        parts.append(f"NVTX {middle_cut(' / '.join(row.nvtx), NVTX_WIDTH)}")
    if launch.workload != "kernel":
        parts.append(launch.workload)
    parts.append(f"launch {launch.id}")
    return " · ".join(parts)


def _times(row: KernelRow) -> str:
    """The time of the launch; of several, all of it and the spread: what is shown is the slowest."""
    slowest = duration(row.slowest.duration_ns)
    if len(row.launches) == 1:
        return slowest
    spread = f"{duration(row.fastest_ns)} to {slowest} each"
    return f"{duration(row.duration_ns)} in {len(row.launches)} launches, {spread}; the slowest is shown"


def _figures(kernel: KernelDiagnosis) -> tuple[Figure, ...]:
    best = next((f for f in kernel.findings if f.speedup), None)
    figures = [Figure(name="Limiter", value=unit_name(kernel.limiter) if kernel.limiter else "none named")]
    share, roof = of_peak(kernel)
    if share is not None:
        figures.append(Figure(name="Of peak", value=pct(share), note=roof))
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
