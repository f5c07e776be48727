"""What the comparison's page shows, worked out of a comparison: facts, the kernel table, panels."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ncuanalyze.compare.comparison import Comparison, Difference, KernelComparison, KernelSide, Verdict
from ncuanalyze.render import comparison_words as words
from ncuanalyze.render.comparison_panel import Panel, panel_of
from ncuanalyze.render.numbers import duration

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
class Page:
    """The whole page but for the comparison itself."""

    title: str
    headline: str
    counts: str
    facts: tuple[tuple[str, str, str], ...]
    differences: tuple[Difference, ...]
    rows: tuple[Row, ...]
    panels: tuple[Panel, ...]
    vanished: tuple[tuple[str, str, int], ...]
    appeared: tuple[tuple[str, str, int], ...]


def page_of(comparison: Comparison) -> Page:
    """The page of a comparison; kernels in its order, the largest part in the change first."""
    titles = words.titles(comparison, TITLE_WIDTH)
    short = words.titles(comparison, NAME_WIDTH)
    several = len(comparison.kernels) > OPEN_PANELS
    return Page(
        title=f"{comparison.base.label} → {comparison.new.label}",
        headline=words.headline(comparison),
        counts=words.counts(comparison),
        facts=tuple(_facts(comparison)),
        differences=words.differences(comparison),
        rows=tuple(_row(place, item, short[place]) for place, item in enumerate(comparison.kernels)),
        panels=tuple(
            panel_of(place, item, titles[place], opened=place == 0 or not several)
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
