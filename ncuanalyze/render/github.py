"""GitHub workflow commands: annotations on source lines, printed by a step and read by the runner."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ncuanalyze.diagnosis import SourceLine
from ncuanalyze.render.names import safe_text

MOST_OF_A_LEVEL = 10
"""GitHub shows this many annotations of each level from one step and drops the rest."""
_DATA = {"%": "%25", "\r": "%0D", "\n": "%0A"}
_PROPERTY = _DATA | {":": "%3A", ",": "%2C"}


@dataclass(frozen=True, kw_only=True)
class Annotation:
    """``level`` is error, warning or notice; without a line it stands on the run's page."""

    level: str
    title: str
    message: str
    line: SourceLine | None = None


def commands(annotations: Iterable[Annotation]) -> str:
    """One command a line. What GitHub would drop is counted in a last notice."""
    shown: dict[str, int] = {}
    lines, dropped = [], 0
    for item in annotations:
        shown[item.level] = shown.get(item.level, 0) + 1
        if shown[item.level] > MOST_OF_A_LEVEL:
            dropped += 1
        else:
            lines.append(command(item))
    if dropped:
        lines.append(
            command(
                Annotation(level="notice", title="ncuanalyze", message=f"{dropped} more, see the summary")
            )
        )
    return "".join(f"{line}\n" for line in lines)


def command(item: Annotation) -> str:
    """``::error file=..,line=..,title=..::message`` with everything that could end it early escaped."""
    properties = {"title": item.title}
    if item.line is not None:
        properties = (
            {"file": item.line.file}
            | ({"line": str(item.line.line)} if item.line.line > 0 else {})
            | properties
        )
    stated = ",".join(f"{name}={_escaped(value, _PROPERTY)}" for name, value in properties.items())
    return f"::{item.level} {stated}::{_escaped(item.message, _DATA)}"


def _escaped(text: str, table: dict[str, str]) -> str:
    return "".join(table.get(char, char) for char in safe_text(text, keep_lines=True))
