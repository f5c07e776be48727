"""A comparison as GitHub annotations: slower kernels as errors, findings that came or grew as warnings."""

from __future__ import annotations

from collections.abc import Iterator

from ncuanalyze.compare.comparison import Comparison, Fate, KernelComparison, Verdict
from ncuanalyze.render import comparison_words as words
from ncuanalyze.render.comparison_sarif import where
from ncuanalyze.render.github import Annotation, commands
from ncuanalyze.render.names import short_name
from ncuanalyze.render.numbers import duration

NAME_WIDTH = 60


def render(comparison: Comparison) -> str:
    """The workflow commands, one a line; the verdict on the whole last."""
    return commands(_annotations(comparison))


def _annotations(comparison: Comparison) -> Iterator[Annotation]:
    for kernel in comparison.kernels:
        if kernel.verdict is Verdict.SLOWER:
            yield _slower(kernel)
    for kernel in comparison.kernels:
        name = short_name(kernel.name, NAME_WIDTH)
        for change in kernel.why.findings if kernel.why else ():
            if change.fate in (Fate.NEW, Fate.GROWN):
                line = change.source_lines[0] if change.source_lines else None
                yield Annotation(level="warning", title=name, message=words.finding_text(change), line=line)
    level = "warning" if comparison.verdict is Verdict.INCONCLUSIVE else "notice"
    yield Annotation(level=level, title="ncuanalyze compare", message=words.headline(comparison))


def _slower(kernel: KernelComparison) -> Annotation:
    base, new = (side.spread.median_ns if side.spread else None for side in (kernel.base, kernel.new))
    lines = where(kernel)
    why = f"\n{kernel.why.sentence}" if kernel.why else ""
    return Annotation(
        level="error",
        title=f"{short_name(kernel.name, NAME_WIDTH)} is slower",
        message=f"{duration(base)} became {duration(new)} ({words.change(kernel.change_pct)}). {kernel.reason}.{why}",
        line=lines[0] if lines else None,
    )
