"""A check as SARIF: each assertion that does not hold, at the lines of its kernel."""

from __future__ import annotations

from collections.abc import Iterator

from ncuanalyze.gate.outcome import CheckResult, Status
from ncuanalyze.render import check_words as words
from ncuanalyze.render.sarif_log import Result, Rule, sarif_log

BROKEN = Rule(id="budget", title="A performance budget is broken")
MISSING = Rule(id="budget_missing", title="A performance budget cannot be judged")


def render(result: CheckResult) -> str:
    """The log as JSON text."""
    return sarif_log(_results(result), result.tool, category="check")


def _results(result: CheckResult) -> Iterator[Result]:
    for problem in words.whole(result):
        level = "note" if result.advisory else "error"
        yield Result(rule=BROKEN, level=level, message=problem, kernel="", artifact=result.budget, key=problem)
    for item in words.failures(result):
        measured = words.measured(item)
        yield Result(
            rule=MISSING if item.status is Status.MISSING else BROKEN,
            level="note" if item.advisory else "error",
            message=f"{item.kernel.demangled}: {item.assertion}" + (f": {measured}" if measured else ""),
            kernel=item.kernel.demangled,
            artifact=result.budget,
            key=item.assertion,
            lines=item.source_lines[:1],
        )
