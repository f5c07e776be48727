"""A check in a terminal: the verdict, then each assertion with what was measured."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ncuanalyze.gate.outcome import CheckResult, Outcome, Status
from ncuanalyze.render import check_words as words
from ncuanalyze.render.terminal import Style, console_text, plain

if TYPE_CHECKING:
    from rich.console import Console

COLORS = {Status.PASSED: "green", Status.FAILED: "red", Status.MISSING: "yellow"}
NAME_WIDTH = 60


def render(result: CheckResult) -> str:
    """Plain text at 80 columns."""
    return render_text(result, Style())


def render_text(result: CheckResult, style: Style) -> str:
    """Every failure; with ``verbose`` what passed as well."""
    return console_text(style, lambda console: _write(result, console, style))


def _write(result: CheckResult, console: Console, style: Style) -> None:
    console.print(plain(words.headline(result), "bold green" if result.passed else "bold red"))
    console.print(plain(f"{result.source.file} against {result.budget}", "dim"))
    for problem in words.whole(result):
        console.print(plain(f"  {'advisory' if result.advisory else 'failed  '} {problem}", "red"))
    told = result.outcomes if style.verbose else words.failures(result)
    shared = words.shared_names(result)
    by_kernel: dict[str, list[Outcome]] = {}
    for outcome in told:
        by_kernel.setdefault(words.name(outcome, NAME_WIDTH, shared), []).append(outcome)
    for name, outcomes in by_kernel.items():
        console.print()
        console.print(plain(name, "bold"))
        for outcome in outcomes:
            console.print(plain(_line(outcome), "dim" if outcome.advisory else COLORS[outcome.status]))


def _line(outcome: Outcome) -> str:
    advisory = " (advisory)" if outcome.advisory else ""
    measured = words.measured(outcome)
    return f"  {outcome.status:<8} {outcome.assertion}{advisory}" + (f": {measured}" if measured else "")
