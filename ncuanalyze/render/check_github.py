"""A check as GitHub annotations: errors for what blocks, warnings for what is advisory."""

from __future__ import annotations

from collections.abc import Iterator

from ncuanalyze.gate.outcome import CheckResult
from ncuanalyze.render import check_words as words
from ncuanalyze.render.github import Annotation, commands

NAME_WIDTH = 60


def render(result: CheckResult) -> str:
    """The workflow commands, one a line; the verdict last."""
    return commands(_annotations(result))


def _annotations(result: CheckResult) -> Iterator[Annotation]:
    for problem in words.whole(result):
        yield Annotation(level="warning" if result.advisory else "error", title=result.budget, message=problem)
    shared = words.shared_names(result)
    for item in words.failures(result):
        measured = words.measured(item)
        yield Annotation(
            level="warning" if item.advisory else "error",
            title=words.name(item, NAME_WIDTH, shared),
            message=item.assertion + (f": {measured}" if measured else ""),
            line=item.source_lines[0] if item.source_lines else None,
        )
    yield Annotation(level="notice", title="ncuanalyze check", message=words.headline(result))
