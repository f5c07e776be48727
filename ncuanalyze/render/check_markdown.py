"""A check as markdown for a pull request's comment or a step's summary: under 60 lines."""

from __future__ import annotations

from collections.abc import Iterator

from ncuanalyze.gate.outcome import CheckResult, Status
from ncuanalyze.render import check_words as words
from ncuanalyze.render.markdown import code, text

MARKER = "<!-- ncuanalyze: check -->"
ROWS = 40
WHOLE = 8
NAME_WIDTH = 50
ICONS = {Status.FAILED: "🔴", Status.MISSING: "🟡", Status.PASSED: "🟢"}


def render(result: CheckResult) -> str:
    """At most 59 lines: the verdict and every failure, blocking ones first."""
    return "\n".join(_lines(result)) + "\n"


def _lines(result: CheckResult) -> Iterator[str]:
    yield MARKER
    yield f"### {'🟢' if result.passed else '🔴'} {text(words.headline(result))}"
    whole = words.whole(result)
    if whole:
        yield ""
        mark = "🟡" if result.advisory else "🔴"
        yield from (f"- {mark} {text(problem)}" for problem in whole[:WHOLE])
    failures, shared = words.failures(result), words.shared_names(result)
    if failures:
        yield from ("", "| Kernel | Assertion | Measured | |", "| :-- | :-- | :-- | :-- |")
        for item in failures[:ROWS]:
            mark = f"{ICONS[item.status]} {item.status}{', advisory' if item.advisory else ''}"
            cells = (
                code(words.name(item, NAME_WIDTH, shared)),
                code(item.assertion),
                text(words.measured(item)),
                mark,
            )
            yield f"| {' | '.join(cells)} |"
        if len(failures) > ROWS:
            yield f"| {len(failures) - ROWS} more | | | |"
    yield ""
    yield f"<sub>{text(f'{result.source.file} against {result.budget}, {result.tool}')}</sub>"
