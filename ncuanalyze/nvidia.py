"""ncu's own stored rule results: their markup made plain, their verdict as a bound, and why ours differs."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ncuanalyze.bound import Classification
from ncuanalyze.diagnosis import Bound, Finding, NvidiaResult, NvidiaVerdict
from ncuanalyze.profile import StoredResult

_MARKUP = re.compile(r"@(url|section|sass|source):((?:[^@])*)@")
_VERDICT_RULE = "SOLBottleneck"
_BOUNDS = {
    "high compute throughput": Bound.COMPUTE,
    "high memory throughput": Bound.MEMORY,
    "latency issue": Bound.LATENCY,
    "small grid": Bound.LATENCY,
    "balanced throughput": Bound.BALANCED,
}


def plain_markup(text: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    """The text without ncu's ``@kind:..@`` markup, and its web links as (text, URL) pairs. Only https is a link."""
    links: list[tuple[str, str]] = []

    def replace(match: re.Match[str]) -> str:
        shown, url = _shown(match.group(1), match.group(2))
        if url.startswith("https://"):
            links.append((shown, url))
        return shown

    return _MARKUP.sub(replace, text), tuple(links)


def _shown(kind: str, body: str) -> tuple[str, str]:
    if kind == "url":
        shown, _, url = body.partition(":")
        return shown, url
    return body.rpartition(":")[2], ""


def verdict_of(
    stored: Sequence[StoredResult], ours: Classification, sm_pct: float | None, memory_pct: float | None
) -> NvidiaVerdict | None:
    """ncu's stored Speed Of Light verdict, and the reason where ours differs; None where none is stored."""
    result = next((item for item in stored if item.rule == _VERDICT_RULE), None)
    if result is None:
        return None
    title = result.title or plain_markup(result.text)[0].partition(".")[0]
    bound = _bound_of(result.title.lower(), sm_pct, memory_pct)
    difference = ""
    if bound is not None and bound is not ours.bound:
        difference = ours.note or "the stored verdict was made from other values than the report holds"
    return NvidiaVerdict(title=title, bound=bound, difference=difference)


def _bound_of(title: str, sm_pct: float | None, memory_pct: float | None) -> Bound | None:
    if title == "high throughput" and sm_pct is not None and memory_pct is not None:
        return Bound.COMPUTE if sm_pct > memory_pct else Bound.MEMORY
    return _BOUNDS.get(title)


def results_of(
    stored: Sequence[StoredResult], at_roofline: bool, findings: Sequence[Finding]
) -> tuple[NvidiaResult, ...]:
    """Every stored result, plain, with a word where it promises what the counters do not carry."""
    best = max((f.speedup.estimate for f in findings if f.speedup is not None), default=1.0)
    return tuple(_result(item, at_roofline, best) for item in stored if item.text or item.title)


def _result(item: StoredResult, at_roofline: bool, best: float) -> NvidiaResult:
    message, links = plain_markup(item.text)
    return NvidiaResult(
        rule=item.rule,
        section=item.section,
        title=plain_markup(item.title)[0],
        message=message,
        kind=item.kind,
        speedup_pct=item.speedup_pct,
        speedup_scope=item.speedup_scope,
        links=links,
        difference=_difference(item, at_roofline, best),
    )


def _difference(item: StoredResult, at_roofline: bool, best: float) -> str:
    if not item.speedup_pct:
        return ""
    if item.speedup_scope == "local":
        return "a local estimate: it speaks of one unit, not of the kernel's time"
    if at_roofline and item.speedup_pct > 20:
        return "the kernel is at the roof of its limiting unit: only less work makes it faster"
    promised = 1 / (1 - min(item.speedup_pct, 99.0) / 100)
    if promised > 1.5 * best:
        return f"the busiest remaining unit allows about {best:.2g}x for any cause proved here"
    return ""
