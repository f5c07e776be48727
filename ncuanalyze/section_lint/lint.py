"""Check one section file: syntax, fields, expressions, filters and metric names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from ncuanalyze.errors import InvalidInput
from ncuanalyze.section_lint.filter_checks import filter_problems
from ncuanalyze.section_lint.grammar import floor_problem, structure_problems
from ncuanalyze.section_lint.metric_checks import definition_problems, metric_problems
from ncuanalyze.section_lint.metric_names import metric_names
from ncuanalyze.section_lint.problem import Level, Problem
from ncuanalyze.section_lint.section import SectionFile, read_text
from ncuanalyze.section_lint.text_format import Block, SectionSyntaxError, parse


def check_file(path: Path, chips: Sequence[str] = ()) -> list[Problem]:
    """The problems of a file by line. Raises ``UnreadableReport`` where it cannot be read."""
    found = check_text(read_text(path), chips)
    if path.suffix != ".section":
        text = f"ncu loads only files that end in .section, not {path.suffix or path.name}"
        found.insert(0, Problem(line=1, column=1, level=Level.ERROR, text=text))
    return found


def check_text(text: str, chips: Sequence[str] = ()) -> list[Problem]:
    """The problems of a section file's text. ``chips`` limits the metric check (default: all recorded).

    Raises ``InvalidInput`` for a chip without a recorded list.
    """
    chosen = _chips(chips)
    try:
        fields = parse(text)
    except SectionSyntaxError as error:
        return [
            Problem(line=error.line, column=error.column, level=Level.ERROR, text=f"syntax: {error.reason}")
        ]
    return sorted(_problems(fields, chosen))


def _chips(chips: Sequence[str]) -> tuple[str, ...]:
    known = metric_names().chips
    for chip in chips:
        if chip not in known:
            raise InvalidInput(f"no metric list for chip {chip!r}", hint=f"choose from {', '.join(known)}")
    return tuple(chips) or known


def _problems(fields: Block, chips: tuple[str, ...]) -> Iterator[Problem]:
    structure = list(structure_problems(fields))
    yield from structure
    if floor := floor_problem(fields):
        yield floor
    section = SectionFile(fields)
    if any(character.isspace() for character in section.identifier):
        yield Problem(line=1, column=1, level=Level.ERROR, text="Identifier must not hold white space")
    yield from filter_problems(fields)
    yield from definition_problems(section, chips)
    yield from metric_problems(section, chips)
