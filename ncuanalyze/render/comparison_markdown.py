"""The comparison as a pull request's comment: under 60 lines, found again by its first line."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from ncuanalyze.compare.comparison import Comparison, Fate, KernelComparison, KernelSide, Verdict, Weight
from ncuanalyze.render import comparison_words as words
from ncuanalyze.render.markdown import code, text
from ncuanalyze.render.names import safe_text
from ncuanalyze.render.numbers import duration, pct

MARKER = "<!-- ncuanalyze: comparison -->"
ROWS = 10
PANELS = 3
FINDINGS = 3
UNFAIR = 3
LONE = 3
NAME_WIDTH = 60
ICONS = {
    Verdict.FASTER: "🟢",
    Verdict.SLOWER: "🔴",
    Verdict.SAME: "⚪",
    Verdict.INCONCLUSIVE: "🟡",
}


def render(comparison: Comparison) -> str:
    """At most 59 lines: verdict, what is unfair, the kernels that moved most, why, and what came and went."""
    return "\n".join(_lines(comparison)) + "\n"


def _lines(comparison: Comparison) -> Iterator[str]:
    yield MARKER
    yield f"### {ICONS[comparison.verdict]} {text(words.headline(comparison))}"
    yield ""
    yield f"{code(comparison.base.label)} → {code(comparison.new.label)}: {text(words.counts(comparison))}."
    yield from _unfair(comparison)
    if comparison.kernels:
        yield from ("", *_table(comparison), "")
    titles = words.titles(comparison, NAME_WIDTH)
    moved = [place for place, kernel in enumerate(comparison.kernels) if kernel.verdict is not Verdict.SAME]
    for place in moved[:PANELS]:
        yield from _panel(comparison.kernels[place], titles[place])
    yield from _lone("Vanished", comparison.vanished)
    yield from _lone("New", comparison.appeared)
    yield f"<sub>{text(_facts(comparison))}</sub>"


def _unfair(comparison: Comparison) -> Iterator[str]:
    found = [item for item in words.differences(comparison) if item.weight is not Weight.NOTE]
    if found:
        yield ""
        yield from (f"- ⚠️ {text(words.difference_text(item))}" for item in found[:UNFAIR])
    if len(found) > UNFAIR:
        yield f"- {len(found) - UNFAIR} more differences between the runs"


def _table(comparison: Comparison) -> Iterator[str]:
    yield "| Kernel | Base | New | Change | Verdict | Share | Bound |"
    yield "| :-- | --: | --: | --: | :-- | --: | :-- |"
    titles = words.titles(comparison, NAME_WIDTH)
    for place, kernel in enumerate(comparison.kernels[:ROWS]):
        base, new = kernel.base.diagnosis, kernel.new.diagnosis
        cells = (
            code(titles[place]),
            duration(kernel.base.spread.median_ns if kernel.base.spread else None),
            duration(kernel.new.spread.median_ns if kernel.new.spread else None),
            words.change(kernel.change_pct),
            f"{ICONS[kernel.verdict]} {kernel.verdict}",
            pct(kernel.base_share_pct),
            new.bound.value if base.bound is new.bound else f"{base.bound} → {new.bound}",
        )
        yield f"| {' | '.join(cells)} |"
    if len(comparison.kernels) > ROWS:
        yield f"| {len(comparison.kernels) - ROWS} more | | | | | | |"


def _panel(kernel: KernelComparison, title: str) -> Iterator[str]:
    name = escape(safe_text(title))
    yield f"<details><summary>Why <code>{name}</code> is {kernel.verdict}</summary>"
    yield ""
    yield f"{text(kernel.reason)}"
    if kernel.why is not None:
        yield f"- {text(kernel.why.sentence)}"
        if kernel.why.promise is not None and words.promise_is_told(kernel):
            yield f"- {text(words.promise_text(kernel.why.promise))}"
        told = [item for item in kernel.why.findings if item.fate is not Fate.KEPT]
        yield from (f"- {text(words.finding_text(item))}" for item in told[:FINDINGS])
    yield from ("", "</details>")


def _lone(title: str, sides: tuple[KernelSide, ...]) -> Iterator[str]:
    found = list(words.lone(sides, NAME_WIDTH))
    if not found:
        return
    named = [f"{code(name)} {time}" for name, time, _ in found[:LONE]]
    more = f" and {len(found) - LONE} more" if len(found) > LONE else ""
    yield ""
    yield f"{title}: {', '.join(named)}{more}."


def _facts(comparison: Comparison) -> str:
    devices = (*comparison.base.devices, *comparison.new.devices)
    gpus = dict.fromkeys(device.name or "unknown GPU" for device in devices)
    forced = ", unfair differences overruled by --force" if comparison.forced else ""
    facts = (*gpus, f"threshold {comparison.threshold_pct:g}%{forced}", comparison.tool or "ncuanalyze")
    return ", ".join(facts)
