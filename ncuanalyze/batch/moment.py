"""Tells what went wrong at this moment on this machine from what is wrong with a report."""

from __future__ import annotations

import errno
from collections.abc import Iterator

from ncuanalyze.batch.outcome import THE_REPORT, Ending, Outcome
from ncuanalyze.errors import MissingDependency

_OF_THE_MACHINE = frozenset(
    getattr(errno, name)
    for name in (
        *("ENOSPC", "EDQUOT", "EROFS", "EMFILE", "ENFILE", "ENOMEM", "EAGAIN", "EBUSY"),
        *("EIO", "ESTALE", "ETIMEDOUT", "ENOENT", "EACCES", "EPERM"),
    )
    if hasattr(errno, name)
)
"""No bytes of a report cause these: a full disk, no more descriptors, a network drive that is gone."""


def outcome_of_the_moment(error: BaseException) -> Outcome | None:
    """The outcome of a failure, or of one behind it, that another attempt may not meet; None for every other one."""
    for cause in chain(error):
        if isinstance(cause, MissingDependency):
            return _unreachable(type(cause).__name__, str(cause), cause.hint)
        if isinstance(cause, OSError) and cause.errno in _OF_THE_MACHINE:
            return _unreachable("Unreachable", cause.strerror or str(cause), _HINT)
    return None


def chain(error: BaseException) -> Iterator[BaseException]:
    """An error and what caused it."""
    cause: BaseException | None = error
    while cause is not None:
        yield cause
        cause = cause.__cause__


_HINT = "Check the disk, the limits and the permissions of this machine, and give the command again."


def _unreachable(error: str, reason: str, hint: str) -> Outcome:
    return Outcome(ending=Ending.UNREACHABLE, error=error, message=f"cannot read {THE_REPORT}: {reason}", hint=hint)
