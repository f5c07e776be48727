"""Whether the architecture filters of a section file mean what they seem to."""

from __future__ import annotations

from collections.abc import Iterator

from ncuanalyze.section_lint.problem import Level, Problem
from ncuanalyze.section_lint.section import arch_of, inherited_items
from ncuanalyze.section_lint.text_format import Block, Field


def filter_problems(section: Block) -> Iterator[Problem]:
    """Empty ranges, limits that ``Items`` override, from inside or from the section, and options without a filter."""
    yield from _filters(section)
    if inherited_items(section) is not None:
        for field in section.fields:
            if field.name != "Filter" and isinstance(field.value, Block):
                yield from _overridden(field.value)


def _overridden(block: Block) -> Iterator[Problem]:
    """ncu 2025.3.1 merges the section's Items into every filter without Items, and Items override limits."""
    for field in block.fields:
        if not isinstance(field.value, Block):
            continue
        if field.name == "Filter" and _limits(field.value) and not field.value.all("Items"):
            text = "the Items of the section's own Filter override these limits: give them in Items too"
            yield _warning(field, text)
        yield from _overridden(field.value)


def _filters(fields: Block) -> Iterator[Problem]:
    for field in fields.fields:
        if not isinstance(field.value, Block):
            continue
        if field.name in ("Filter", "Items"):
            yield from _range(field, field.value)
        if field.name == "Filter" and field.value.all("Items") and _limits(field.value):
            yield _warning(field, "Items override MinArch and MaxArch beside them: give the limits in Items")
        if field.name == "Options" and field.value.text("Name") and not field.value.all("Filter"):
            yield _warning(
                field,
                f"the option {field.value.text('Name')} has no Filter, so it always replaces the metric",
            )
        yield from _filters(field.value)


def _limits(block: Block) -> bool:
    return bool(block.all("MinArch") or block.all("MaxArch"))


def _range(field: Field, block: Block) -> Iterator[Problem]:
    low, high = arch_of(block.text("MinArch")), arch_of(block.text("MaxArch"))
    if low is not None and high is not None and low > high:
        yield _warning(field, f"MinArch {low} is above MaxArch {high}: this admits no GPU")


def _warning(field: Field, text: str) -> Problem:
    return Problem(line=field.line, column=field.column, level=Level.WARNING, text=text)
