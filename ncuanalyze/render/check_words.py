"""What a check says in words, shared by its text, markdown and annotations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

from ncuanalyze.gate.outcome import CheckResult, Outcome, Status
from ncuanalyze.render.names import short_name
from ncuanalyze.render.numbers import digits, factor


def headline(result: CheckResult) -> str:
    """Whether the report keeps the budget, and how many assertions do not."""
    failed = sum(item.blocks for item in result.outcomes)
    told = sum(item.status is not Status.PASSED and item.advisory for item in result.outcomes)
    parts = [f"{failed} of {_assertions(len(result.outcomes))} failed"] if failed else []
    parts += _first(whole(result))
    advice = f", {told} advisory" if told else ""
    if not result.passed:
        return f"Budget broken: {'; '.join(parts)}{advice}"
    if parts:
        return f"Advisory: {'; '.join(parts)}{advice}"
    kept = len(result.outcomes) - told
    return f"Within budget: {_assertions(kept)} {'holds' if kept == 1 else 'hold'}{advice}"


def _first(problems: Sequence[str]) -> list[str]:
    more = f" and {len(problems) - 1} more of the kind" if len(problems) > 1 else ""
    return [f"{problems[0]}{more}"] if problems else []


def _assertions(count: int) -> str:
    return "1 assertion" if count == 1 else f"{count} assertions"


def failures(result: CheckResult) -> Sequence[Outcome]:
    """What did not pass, blocking ones first, in the budget's order."""
    found = [item for item in result.outcomes if item.status is not Status.PASSED]
    return sorted(found, key=lambda item: item.advisory)


def whole(result: CheckResult) -> Sequence[str]:
    """What is wrong with the budget as a whole."""
    return (*result.problems, *(f"no kernel is called {name}" for name in result.unmatched))


def name(outcome: Outcome, width: int, shared: Collection[str] = ()) -> str:
    """The kernel in short; where it shares its name (``shared_names``), with its innermost NVTX range."""
    kernel = outcome.kernel
    inside = f" in {short_name(kernel.nvtx[-1], width)}" if kernel.demangled in shared and kernel.nvtx else ""
    return short_name(kernel.demangled or kernel.name, width) + inside


def shared_names(result: CheckResult) -> frozenset[str]:
    """The names that several of the judged kernels have."""
    counts = Counter(kernel.demangled for kernel in {item.kernel for item in result.outcomes})
    return frozenset(name for name, count in counts.items() if count > 1)


def measured(outcome: Outcome) -> str:
    """What was measured, in the unit of the assertion, and why it is not judged where it is not."""
    if outcome.status is Status.MISSING:
        return outcome.note or "missing"
    shown = _value(outcome.measured, outcome.unit)
    often = f" (median of {outcome.launches})" if outcome.launches > 1 and shown else ""
    note = f", {outcome.note}" if outcome.note else ""
    return (f"measured {shown}{often}" if shown else "") + (note if shown else outcome.note)


def _value(value: float | str | None, unit: str) -> str:
    if value is None or isinstance(value, str):
        return value or ""
    if unit == "x":
        return factor(value)
    number = f"{value:,.0f}" if float(value).is_integer() else digits(value)
    return f"{number}{unit}" if unit == "%" else f"{number} {unit}".rstrip()
