"""Whether the metrics of a section file exist on the chips that its filters let through."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping

from ncuanalyze.section_lint.expression import Expression, parse_expression
from ncuanalyze.section_lint.metric_names import arch_of_chip, is_unlisted, metric_names, suffix_problem
from ncuanalyze.section_lint.problem import Level, Problem
from ncuanalyze.section_lint.section import ArchFilter, Definition, MetricUse, SectionFile, filter_of

_THROUGHPUT_LISTS = "breakdown:"


def metric_problems(section: SectionFile, chips: tuple[str, ...]) -> Iterator[Problem]:
    """Unknown metrics, ill-formed names, and metrics that a chip let through by the filters does not have."""
    archs = {chip: arch_of_chip()[chip] for chip in chips}
    defined = {each.name: each for each in section.definitions()}
    for use in section.uses():
        yield from _use(use, archs, defined)


def definition_problems(section: SectionFile, chips: tuple[str, ...]) -> Iterator[Problem]:
    """Bad expressions, operands that the file does not collect, and definitions that no metric asks for."""
    whole = filter_of(section.fields)
    archs = {chip: arch for chip, arch in arch_of_chip().items() if chip in chips and whole.admits(arch)}
    collected = {chip: set(section.collected(arch)) for chip, arch in archs.items()}
    defined = {each.name for each in section.definitions()}
    for definition in section.definitions():
        parsed = parse_expression(definition.expression)
        if isinstance(parsed, str):
            yield _at(definition, Level.ERROR, f"{definition.name}: {parsed}")
        else:
            yield from _operands(definition, parsed, defined, archs, collected)


def _at(where: Definition | MetricUse, level: Level, text: str) -> Problem:
    return Problem(line=where.line, column=where.column, level=level, text=text)


def _operands(
    definition: Definition,
    parsed: Expression,
    defined: set[str],
    archs: Mapping[str, int],
    collected: Mapping[str, set[str]],
) -> Iterator[Problem]:
    if parsed.operator == "/" and parsed.operands[1] in parsed.metrics:
        text = f"{definition.name}: where {parsed.operands[1]} is 0, ncu gives the left operand, not an error"
        yield _at(definition, Level.NOTE, text)
    for operand in parsed.metrics:
        if operand in defined:
            continue
        if problem := _name_problem(operand):
            yield _at(definition, Level.ERROR, f"{definition.name}: {problem}")
            continue
        missing = [c for c, a in archs.items() if definition.filter.admits(a) and operand not in collected[c]]
        if missing:
            text = f"{definition.name}: no data on {_chips(missing)} unless {operand} is collected there too"
            yield _at(definition, Level.WARNING, text)


def _use(use: MetricUse, archs: Mapping[str, int], defined: Mapping[str, Definition]) -> Iterator[Problem]:
    for name in dict.fromkeys((use.name, *(option for option, _ in use.options))):
        if name in defined:
            continue
        if name.startswith("derived__"):
            yield _at(use, Level.WARNING, f"{name} is not defined in this file")
        elif problem := _name_problem(name):
            yield _at(use, Level.ERROR, problem)
        elif lacking := [chip for chip, arch in archs.items() if _lacks(use, name, chip, arch)]:
            text = f"{name} does not exist on {_chips(lacking)}: filter it out there"
            yield _at(use, Level.WARNING, text)
    yield from _unreachable(use)


def _unreachable(use: MetricUse) -> Iterator[Problem]:
    for index, (name, option) in enumerate(use.options):
        earlier = (other for _, other in use.options[:index])
        if any(_covers(other, option) for other in earlier):
            yield _at(use, Level.WARNING, f"the option {name} is never reached: an earlier one covers it")
        elif not any(_meet(option, each) for each in use.filters[-1:]):
            yield _at(
                use, Level.WARNING, f"the option {name} is never reached: the metric's own filter excludes it"
            )


def _covers(outer: ArchFilter, inner: ArchFilter) -> bool:
    return all(any(lo <= low and high <= hi for lo, hi in outer.ranges) for low, high in inner.ranges)


def _meet(one: ArchFilter, other: ArchFilter) -> bool:
    return any(low <= hi and lo <= high for low, high in one.ranges for lo, hi in other.ranges)


def _lacks(use: MetricUse, name: str, chip: str, arch: int) -> bool:
    if use.name_on(arch) != name:
        return False
    base = _base(name)
    return base in metric_names().kinds and chip not in metric_names().chips_with(base)


def _base(name: str) -> str:
    return name.removeprefix(_THROUGHPUT_LISTS).partition(".")[0]


def _name_problem(name: str) -> str | None:
    if is_unlisted(name):
        return None
    base = _base(name)
    if base not in metric_names().kinds:
        close = difflib.get_close_matches(base, metric_names().kinds, n=1, cutoff=0.85)
        return f"no chip has a metric {base}" + (f": did you mean {close[0]}?" if close else "")
    problem = suffix_problem(name.removeprefix(_THROUGHPUT_LISTS))
    return f"{name}: {base} {problem}" if problem else None


def _chips(chips: list[str]) -> str:
    archs = arch_of_chip()
    if len(chips) == len(archs):
        return "every chip"
    return ", ".join(f"CC {archs[chip] // 10}.{archs[chip] % 10} ({chip})" for chip in chips)
