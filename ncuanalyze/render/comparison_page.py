"""What the comparison's page shows, worked out of a comparison: facts, rows, one panel a kernel."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ncuanalyze.compare.comparison import (
    Comparison,
    Difference,
    Fate,
    FindingChange,
    KernelComparison,
    KernelSide,
    Moved,
    Verdict,
    Weight,
)
from ncuanalyze.diagnosis import KernelDiagnosis
from ncuanalyze.render import comparison_words as words
from ncuanalyze.render.charts import roofline_svg
from ncuanalyze.render.numbers import dimensions, duration, factor, pct, quantity, si, speedup_text
from ncuanalyze.render.spread_chart import spread_chart

if TYPE_CHECKING:
    from markupsafe import Markup

NAME_WIDTH = 64
TITLE_WIDTH = 80
OPEN_PANELS = 3


@dataclass(frozen=True, kw_only=True)
class Row:
    """A line of the kernel table."""

    anchor: str
    title: str
    base: str
    new: str
    base_ns: float
    new_ns: float
    change: str
    change_pct: float
    verdict: Verdict
    share_pct: float | None
    part: str
    part_pct: float
    bound: str
    why: str


@dataclass(frozen=True, kw_only=True)
class Pair:
    """A quantity on both sides; ``differs`` marks it."""

    name: str
    base: str
    new: str
    differs: bool


@dataclass(frozen=True, kw_only=True)
class WorkRow:
    """A resource's work and rate on both sides; ``main`` is the one that explains."""

    name: str
    work: str
    work_ratio: str
    rate: str
    rate_ratio: str
    main: bool


@dataclass(frozen=True, kw_only=True)
class FindingRow:
    """A finding on both sides: what it promised and promises."""

    title: str
    fate: Fate
    base: str
    new: str
    place: str


@dataclass(frozen=True, kw_only=True)
class Panel:
    """One kernel, before and after."""

    anchor: str
    title: str
    kernel: KernelComparison
    open: bool
    speedup: str
    change: str
    cycles: str
    spread: Markup | None
    pairs: tuple[Pair, ...]
    work: tuple[WorkRow, ...]
    moved: tuple[Moved, ...]
    findings: tuple[FindingRow, ...]
    promise: str
    rooflines: tuple[tuple[str, Markup], ...]
    differences: tuple[Difference, ...]


@dataclass(frozen=True, kw_only=True)
class Page:
    """The whole page but for the comparison itself."""

    title: str
    headline: str
    counts: str
    policy: str
    style: Markup
    script: Markup
    facts: tuple[tuple[str, str, str], ...]
    differences: tuple[Difference, ...]
    rows: tuple[Row, ...]
    panels: tuple[Panel, ...]
    vanished: tuple[tuple[str, str, int], ...]
    appeared: tuple[tuple[str, str, int], ...]


def page_of(comparison: Comparison, *, policy: str, style: Markup, script: Markup) -> Page:
    """The page of a comparison; kernels in its order, the largest part in the change first."""
    titles = words.titles(comparison, TITLE_WIDTH)
    short = words.titles(comparison, NAME_WIDTH)
    several = len(comparison.kernels) > OPEN_PANELS
    return Page(
        title=f"{comparison.base.label} → {comparison.new.label}",
        headline=words.headline(comparison),
        counts=words.counts(comparison),
        policy=policy,
        style=style,
        script=script,
        facts=tuple(_facts(comparison)),
        differences=words.differences(comparison),
        rows=tuple(_row(place, item, short[place]) for place, item in enumerate(comparison.kernels)),
        panels=tuple(
            _panel(place, item, titles[place], opened=place == 0 or not several)
            for place, item in enumerate(comparison.kernels)
        ),
        vanished=tuple(words.lone(comparison.vanished, NAME_WIDTH)),
        appeared=tuple(words.lone(comparison.appeared, NAME_WIDTH)),
    )


def _facts(comparison: Comparison) -> Iterator[tuple[str, str, str]]:
    """Name, base and new of what is known about both sides as a whole."""
    base, new = comparison.base, comparison.new
    devices = [", ".join(dict.fromkeys(item.name or "unknown" for item in side.devices)) for side in (base, new)]
    versions = [", ".join(dict.fromkeys(item.ncu_version for item in side.sources)) for side in (base, new)]
    clocks = [", ".join(dict.fromkeys(item.clock_control for item in side.sources)) for side in (base, new)]
    caches = [", ".join(dict.fromkeys(item.cache_control for item in side.sources)) for side in (base, new)]
    total = comparison.total
    rows = (
        ("File", base.label, new.label),
        ("GPU", *devices),
        ("Launches", str(base.launches), str(new.launches)),
        ("Time of matched kernels", duration(total.base_ns), duration(total.new_ns)),
        ("Time of all kernels", duration(total.all_base_ns), duration(total.all_new_ns)),
        ("ncu", *versions),
        ("Clock control", *clocks),
        ("Cache control", *caches),
    )
    yield from ((name, old, fresh) for name, old, fresh in rows if old or fresh)


def _row(place: int, kernel: KernelComparison, title: str) -> Row:
    base, new = kernel.base, kernel.new
    bounds = (base.diagnosis.bound, new.diagnosis.bound)
    return Row(
        anchor=f"k{place}",
        title=title,
        base=_time(base),
        new=_time(new),
        base_ns=base.spread.median_ns if base.spread else -1.0,
        new_ns=new.spread.median_ns if new.spread else -1.0,
        change=words.change(kernel.change_pct),
        change_pct=kernel.change_pct or 0.0,
        verdict=kernel.verdict,
        share_pct=kernel.base_share_pct,
        part=words.change(kernel.contribution_pct).removeprefix("+"),
        part_pct=kernel.contribution_pct or 0.0,
        bound=bounds[1].value if bounds[0] is bounds[1] else f"{bounds[0]} → {bounds[1]}",
        why=kernel.why.sentence if kernel.why else "",
    )


def _time(side: KernelSide) -> str:
    return duration(side.spread.median_ns if side.spread else None)


def _panel(place: int, kernel: KernelComparison, title: str, *, opened: bool) -> Panel:
    from markupsafe import Markup

    spread = spread_chart(kernel.base.spread, kernel.new.spread)
    why = kernel.why
    return Panel(
        anchor=f"k{place}",
        title=title,
        kernel=kernel,
        open=opened,
        speedup=factor(kernel.speedup),
        change=words.change(kernel.change_pct),
        cycles=words.change(kernel.cycles_change_pct),
        spread=Markup(spread) if spread else None,
        pairs=tuple(_pairs(kernel)),
        work=tuple(_work(kernel)),
        moved=why.moved if why else (),
        findings=tuple(_finding(item) for item in (why.findings if why else ())),
        promise=words.promise_text(why.promise) if why and why.promise and words.promise_is_told(kernel) else "",
        rooflines=tuple(_rooflines(kernel, title)),
        differences=tuple(item for item in kernel.differences if item.weight is Weight.NOTE),
    )


def _pairs(kernel: KernelComparison) -> Iterator[Pair]:
    base, new = kernel.base, kernel.new
    for name, old, fresh in (
        ("Time", words.spread_text(base.spread), words.spread_text(new.spread)),
        ("SM cycles", si(base.cycles, "cycle"), si(new.cycles, "cycle")),
        ("SM clock", si(base.sm_clock_hz, "hz"), si(new.sm_clock_hz, "hz")),
        ("DRAM clock", si(base.dram_clock_hz, "hz"), si(new.dram_clock_hz, "hz")),
        *((name, read(base.diagnosis), read(new.diagnosis)) for name, read in _READ),
    ):
        if (old, fresh) != ("n/a", "n/a"):
            yield Pair(name=name, base=old, new=fresh, differs=old != fresh)


def _light(kernel: KernelDiagnosis) -> str:
    light = kernel.speed_of_light
    return f"SM {pct(light.sm_pct)}, memory {pct(light.memory_pct)}" if light else "n/a"


def _roof(kernel: KernelDiagnosis) -> str:
    roof = kernel.roofline
    known = roof is not None and roof.nearest_roof_pct is not None
    return f"{pct(roof.nearest_roof_pct)} of {roof.nearest_roof}" if roof and known else "n/a"


def _registers(kernel: KernelDiagnosis) -> str:
    occupancy = kernel.occupancy
    return quantity(occupancy.registers_per_thread) if occupancy else "n/a"


def _warps(kernel: KernelDiagnosis) -> str:
    occupancy = kernel.occupancy
    return f"{pct(occupancy.achieved_pct)} of {pct(occupancy.theoretical_pct)}" if occupancy else "n/a"


_READ = (
    ("Grid", lambda k: dimensions(k.kernel.grid)),
    ("Block", lambda k: dimensions(k.kernel.block)),
    ("Bound", lambda k: k.bound.value),
    ("Limiter", lambda k: k.limiter or "none"),
    ("At its roof", lambda k: "yes" if k.at_roofline else "no"),
    ("Speed of light", _light),
    ("Nearest roof", _roof),
    ("Registers per thread", _registers),
    ("Occupancy achieved", _warps),
)


def _work(kernel: KernelComparison) -> Iterator[WorkRow]:
    for row in kernel.why.work_rates if kernel.why else ():
        name, work, more, rate, quicker = words.work_text(row)
        main = kernel.why is not None and row.name == kernel.why.main
        yield WorkRow(name=name, work=work, work_ratio=more, rate=rate, rate_ratio=quicker, main=main)


def _finding(item: FindingChange) -> FindingRow:
    old, new = (speedup_text(gain) if gain else "" for gain in (item.base, item.new))
    place = f"{item.source_lines[0].file}:{item.source_lines[0].line}" if item.source_lines else ""
    return FindingRow(
        title=item.title,
        fate=item.fate,
        base=old or ("" if item.fate is Fate.NEW else "found"),
        new=new or ("" if item.fate is Fate.GONE else "found"),
        place=place,
    )


def _rooflines(kernel: KernelComparison, title: str) -> Iterator[tuple[str, Markup]]:
    """Base and new side by side; arrows on the new one lead from where the kernel stood."""
    from markupsafe import Markup

    old, new = kernel.base.diagnosis.roofline, kernel.new.diagnosis.roofline
    for name, shown, before in (("Base", old, None), ("New", new, old)):
        chart = (
            roofline_svg(shown, title=f"{title}, {name}", heading=False, theme="none", before=before) if shown else ""
        )
        if chart:
            yield name, Markup(chart)
