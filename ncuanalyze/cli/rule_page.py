"""What there is to say about one rule: its docstring's parts, its thresholds, and the metrics that it reads."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ncuanalyze.metrics import MetricRef
from ncuanalyze.record import record
from ncuanalyze.rule import Rule
from ncuanalyze.ruleset import RuleSet, Threshold

_HEADING = re.compile(r"^(\S[^\n]*)\n(?=    )", re.MULTILINE)


@record
class RulePage:
    """One rule for a reader. ``parts`` are (heading, paragraph); ``sections`` the ncu sections that it needs."""

    rule: Rule
    summary: str
    parts: tuple[tuple[str, str], ...]
    thresholds: tuple[tuple[str, Threshold], ...]
    sections: tuple[str, ...]


def page_of(rule: Rule, ruleset: RuleSet) -> RulePage:
    """The page of a rule; a docstring without headings is all summary."""
    summary, *rest = _HEADING.split(rule.doc.strip())
    table = ruleset.thresholds.get(rule.id, {})
    return RulePage(
        rule=rule,
        summary=_one_line(summary),
        parts=tuple((rest[i], _one_line(rest[i + 1])) for i in range(0, len(rest) - 1, 2)),
        thresholds=tuple((name, table[name]) for name in rule.limits),
        sections=tuple(dict.fromkeys((*_sections(rule.requires), *(("WarpStateStats",) if rule.needs_stalls else ())))),
    )


def _sections(refs: Iterable[MetricRef]) -> list[str]:
    return sorted({ref.section for ref in refs})


def _one_line(text: str) -> str:
    return " ".join(text.split())


def as_number(value: float) -> str:
    """A threshold as it is written in the file."""
    return f"{value:g}"
