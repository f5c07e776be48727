"""What a check found: one outcome for each assertion and kernel."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from ncuanalyze.diagnosis import Device, Kernel, Source, SourceLine

SCHEMA = "ncuanalyze.check/1"


class Status(StrEnum):
    """How an assertion came out; ``missing``: the report does not hold what it is about."""

    PASSED = "passed"
    FAILED = "failed"
    MISSING = "missing"


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """One assertion on one kernel; ``measured`` (the median over ``launches``) and ``limit`` are in ``unit``.

    ``source_lines`` are the lines of the kernel's first finding that has any: where to look.
    """

    kernel: Kernel
    launches: int
    assertion: str
    status: Status
    advisory: bool
    measured: float | str | None = None
    limit: float | str | None = None
    unit: str = ""
    relation: str = ""
    note: str = ""
    source_lines: tuple[SourceLine, ...] = ()

    @property
    def blocks(self) -> bool:
        """Whether this outcome fails the gate."""
        return self.status is not Status.PASSED and not self.advisory


@dataclass(frozen=True, kw_only=True)
class CheckResult:
    """A report against a budget; ``unmatched`` names budgets that no kernel answers to.

    ``advisory``: everything is told and nothing fails.
    """

    budget: str
    source: Source
    device: Device
    outcomes: tuple[Outcome, ...]
    unmatched: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    schema: str = SCHEMA
    tool: str = ""
    advisory: bool = False

    @property
    def passed(self) -> bool:
        """Whether the gate lets the report through."""
        whole = self.unmatched or self.problems
        return self.advisory or not (whole or any(item.blocks for item in self.outcomes))
