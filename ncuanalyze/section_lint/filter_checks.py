"""Whether the architecture filters of a section file mean what they seem to."""

from __future__ import annotations

from collections.abc import Iterator

from ncuanalyze.section_lint.problem import Level, Problem
from ncuanalyze.section_lint.section import arch_of
from ncuanalyze.section_lint.text_format import Block, Field


def filter_problems(fields: Block) -> Iterator[Problem]:
    """Empty ranges, limits that ``Items`` override, and options without a filter."""
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
        yield from filter_problems(field.value)


def _limits(block: Block) -> bool:
    return bool(block.all("MinArch") or block.all("MaxArch"))


def _range(field: Field, block: Block) -> Iterator[Problem]:
    low, high = arch_of(block.text("MinArch")), arch_of(block.text("MaxArch"))
    if low is not None and high is not None and low > high:
        yield _warning(field, f"MinArch {low} is above MaxArch {high}: this admits no GPU")


def _warning(field: Field, text: str) -> Problem:
    return Problem(line=field.line, column=field.column, level=Level.WARNING, text=text)
