"""Tells what went wrong at this moment on this machine from what is wrong with a report."""

from __future__ import annotations

from collections.abc import Iterator

from ncuanalyze.batch.machine_errors import is_of_this_machine, machine_failed
from ncuanalyze.batch.outcome import THE_REPORT, Ending, Outcome
from ncuanalyze.errors import MissingDependency


def outcome_of_the_moment(error: BaseException) -> Outcome | None:
    """The outcome of a failure, or of one behind it, that another attempt may not meet; None for every other one."""
    for cause in chain(error):
        if isinstance(cause, MissingDependency):
            return _without_library(cause)
        if is_of_this_machine(cause):
            return machine_failed(cause)
    return None


def chain(error: BaseException) -> Iterator[BaseException]:
    """An error and what caused it."""
    cause: BaseException | None = error
    while cause is not None:
        yield cause
        cause = cause.__cause__


def _without_library(error: MissingDependency) -> Outcome:
    return Outcome(
        ending=Ending.UNREACHABLE,
        error=type(error).__name__,
        message=f"cannot read {THE_REPORT}: {error}",
        hint=error.hint,
    )
