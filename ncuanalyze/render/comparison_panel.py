"""What one kernel's panel of the comparison's page shows, base and new beside each other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ncuanalyze.compare.comparison import Difference, Fate, FindingChange, KernelComparison, Moved, Weight
from ncuanalyze.diagnosis import KernelDiagnosis
from ncuanalyze.render import comparison_words as words
from ncuanalyze.render.charts import roofline_svg
from ncuanalyze.render.numbers import dimensions, factor, pct, quantity, si, speedup_text
from ncuanalyze.render.spread_chart import spread_chart

if TYPE_CHECKING:
    from markupsafe import Markup


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


def panel_of(place: int, kernel: KernelComparison, title: str, *, opened: bool) -> Panel:
    """The panel of the kernel at a place (from 0) of the page."""
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
