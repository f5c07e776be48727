"""A section file as data: what it is called, what it collects on a chip, what it defines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ncuanalyze.errors import UnreadableReport
from ncuanalyze.section_lint.text_format import Block, Field, Scalar, parse

METRIC_FIELDS = frozenset(
    {"Metrics", "Metric", "ValuePerCycleMetrics", "CyclesPerSecondMetric", "BaseName", "Options"}
)
EVERY_ARCH = (0, 999)
LARGEST_BYTES = 4_000_000


@dataclass(frozen=True)
class ArchFilter:
    """Ranges of compute capabilities (CC 9.0 is 90), both ends included; none excludes nothing."""

    ranges: tuple[tuple[int, int], ...] = (EVERY_ARCH,)

    def admits(self, arch: int) -> bool:
        """Whether a compute capability passes."""
        return any(low <= arch <= high for low, high in self.ranges)


@dataclass(frozen=True)
class MetricUse:
    """A metric where it is asked for: the name without a filter's option, and the options in order."""

    name: str
    line: int
    column: int
    filters: tuple[ArchFilter, ...] = ()
    options: tuple[tuple[str, ArchFilter], ...] = ()

    def name_on(self, arch: int) -> str | None:
        """What is collected on a compute capability; None where a filter keeps it out."""
        if not all(each.admits(arch) for each in self.filters):
            return None
        return next((name for name, each in self.options if each.admits(arch)), self.name)


@dataclass(frozen=True)
class Definition:
    """A derived metric."""

    name: str
    expression: str
    line: int
    column: int
    filter: ArchFilter = ArchFilter()


@dataclass(frozen=True)
class SectionFile:
    """A parsed section file."""

    fields: Block

    @property
    def identifier(self) -> str:
        """What ``--section`` takes."""
        return self.fields.text("Identifier") or ""

    @property
    def display_name(self) -> str:
        """The heading of the section in a report."""
        return self.fields.text("DisplayName") or ""

    @property
    def description(self) -> str:
        """What the file says of itself."""
        return self.fields.text("Description") or ""

    @property
    def sets(self) -> tuple[str, ...]:
        """The ``--set`` names that the section is part of."""
        return tuple(name for block in self.fields.blocks("Sets") if (name := block.text("Identifier")))

    def uses(self) -> tuple[MetricUse, ...]:
        """Every metric asked for, in the order of the file."""
        return tuple(_uses(self.fields, (filter_of(self.fields),)))

    def definitions(self) -> tuple[Definition, ...]:
        """Every derived metric."""
        return tuple(_definitions(self.fields))

    def collected(self, arch: int) -> tuple[str, ...]:
        """The names asked for on a compute capability, each once."""
        names = (use.name_on(arch) for use in self.uses())
        return tuple(dict.fromkeys(name for name in names if name is not None))


def read_section(path: Path) -> SectionFile:
    """A file as data. Raises ``SectionSyntaxError``, or ``UnreadableReport`` where it cannot be read."""
    return SectionFile(parse(read_text(path)))


def read_text(path: Path) -> str:
    """The text of a section file. Raises ``UnreadableReport``."""
    try:
        if path.stat().st_size > LARGEST_BYTES:
            raise UnreadableReport(f"{path} is too large for a section file", hint="give a .section file")
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UnreadableReport(
            f"cannot read {path}: {error}", hint="give the path of a .section file"
        ) from error


def filter_of(block: Block) -> ArchFilter:
    """What a block's ``Filter`` admits; its ``Items`` override its ``MinArch`` and ``MaxArch``."""
    for field in block.all("Filter"):
        if isinstance(field.value, Block):
            items = field.value.blocks("Items")
            return ArchFilter(tuple(map(_range, items)) if items else (_range(field.value),))
    return ArchFilter()


def _range(block: Block) -> tuple[int, int]:
    low, high = arch_of(block.text("MinArch")), arch_of(block.text("MaxArch"))
    return (EVERY_ARCH[0] if low is None else low, EVERY_ARCH[1] if high is None else high)


def arch_of(text: str | None) -> int | None:
    """``CC_90`` or ``90`` as 90; None for anything else."""
    digits = (text or "").removeprefix("CC_")
    return int(digits) if digits.isdigit() else None


def inherited_items(section: Block) -> ArchFilter | None:
    """The section's own ``Items``, which ncu 2025.3.1 hands down to every filter inside that has none; else None."""
    items = section.blocks("Filter", "Items")
    return ArchFilter(tuple(map(_range, items))) if items else None


def _uses(block: Block, filters: tuple[ArchFilter, ...]) -> Iterator[MetricUse]:
    for field in block.fields:
        if not isinstance(field.value, Block) or field.name in ("Filter", "MetricDefinitions"):
            continue
        if field.name in METRIC_FIELDS and field.value.text("Name") is not None:
            yield _use(field, field.value, filters)
        else:
            yield from _uses(field.value, (*filters, filter_of(field.value)))


def _use(field: Field, block: Block, filters: tuple[ArchFilter, ...]) -> MetricUse:
    name = block.all("Name")[0]
    options = tuple((option.text("Name") or "", filter_of(option)) for option in block.blocks("Options"))
    text = name.value.text if isinstance(name.value, Scalar) else ""
    return MetricUse(text, name.line, name.column, (*filters, filter_of(block)), options)


def _definitions(block: Block) -> Iterator[Definition]:
    for outer in block.blocks("MetricDefinitions"):
        for field in outer.all("MetricDefinitions"):
            if isinstance(field.value, Block):
                name, expression = field.value.text("Name") or "", field.value.text("Expression") or ""
                yield Definition(name, expression, field.line, field.column, filter_of(field.value))
