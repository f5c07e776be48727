"""A comparison as SARIF: slower kernels, kernels that could not be told, and findings that are new or grew."""

from __future__ import annotations

from collections.abc import Iterator

from ncuanalyze.compare.comparison import Comparison, Fate, FindingChange, KernelComparison, Verdict
from ncuanalyze.diagnosis import SourceLine
from ncuanalyze.render import comparison_words as words
from ncuanalyze.render.numbers import duration
from ncuanalyze.render.sarif_log import Result, Rule, sarif_log

SLOWER = Rule(
    id="slower_kernel",
    title="A kernel became slower",
    help="Compare both reports: ncuanalyze compare BASE NEW -v says why.",
)
UNCLEAR = Rule(
    id="inconclusive_comparison",
    title="A kernel's change cannot be told",
    help="Profile both sides on one GPU with one clock and cache control, several launches each.",
)


def render(comparison: Comparison) -> str:
    """The log as JSON text."""
    notes = tuple(words.difference_text(item) for item in words.differences(comparison))
    return sarif_log(_results(comparison), comparison.tool, category="compare", notes=notes)


def _results(comparison: Comparison) -> Iterator[Result]:
    for kernel in comparison.kernels:
        artifact = comparison.new.label
        if kernel.verdict is Verdict.SLOWER:
            yield _verdict(SLOWER, "error", kernel, artifact)
        elif kernel.verdict is Verdict.INCONCLUSIVE:
            yield _verdict(UNCLEAR, "note", kernel, artifact)
        for change in kernel.why.findings if kernel.why else ():
            if change.fate in (Fate.NEW, Fate.GROWN):
                yield _finding(change, kernel, artifact)


def _verdict(rule: Rule, level: str, kernel: KernelComparison, artifact: str) -> Result:
    why = f" {kernel.why.sentence}." if kernel.why else ""
    base, new = (side.spread.median_ns if side.spread else None for side in (kernel.base, kernel.new))
    return Result(
        rule=rule,
        level=level,
        message=f"{kernel.name}: {duration(base)} became {duration(new)}. {kernel.reason}.{why}",
        kernel=kernel.name,
        artifact=artifact,
        lines=where(kernel),
        properties=(("changePct", kernel.change_pct),) if kernel.change_pct is not None else (),
    )


def where(kernel: KernelComparison) -> tuple[SourceLine, ...]:
    """The lines to look at: of a finding that is new or grew, else of the new side's first finding with lines."""
    changes = kernel.why.findings if kernel.why else ()
    worse = [item.source_lines for item in changes if item.fate in (Fate.NEW, Fate.GROWN)]
    others = [item.source_lines for item in kernel.new.diagnosis.findings]
    return next((lines for lines in (*worse, *others) if lines), ())


def _finding(change: FindingChange, kernel: KernelComparison, artifact: str) -> Result:
    return Result(
        rule=Rule(id=change.id, title=change.title),
        level="warning",
        message=f"{kernel.name}: {words.finding_text(change)}",
        kernel=kernel.name,
        artifact=artifact,
        lines=change.source_lines,
    )
