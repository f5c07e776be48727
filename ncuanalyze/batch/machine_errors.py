"""Tells errors of this machine (a full disk, a quota, too many open files) from errors of what is read."""

from __future__ import annotations

import errno

from ncuanalyze.batch.outcome import THE_REPORT, Ending, Outcome

_OF_THE_DATA = (None, errno.EINVAL)
"""``errno`` of the OSErrors that libraries raise for bad data: none, or that of a seek to a place before the start."""


def is_of_this_machine(error: BaseException) -> bool:
    """Whether the system refused something, so that another attempt may do."""
    return isinstance(error, OSError) and error.errno not in _OF_THE_DATA


def machine_failed(error: BaseException) -> Outcome:
    """The outcome of a report that is not to blame: tried again by the next run."""
    return Outcome(
        ending=Ending.UNREACHABLE,
        error=type(error).__name__,
        message=f"reading {THE_REPORT} failed on this machine: {getattr(error, 'strerror', '') or error}",
        hint="Check the room for temporary files (TMPDIR) and the limits of the shell (ulimit -a), and run again.",
    )
