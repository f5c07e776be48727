"""What the end of a child without a result says of the report that it read."""

from __future__ import annotations

import os
import resource
import signal
import sys

from ncuanalyze.batch.machine_errors import machine_failed
from ncuanalyze.batch.outcome import THE_REPORT, Ending, Outcome

OUT_OF_MEMORY, NO_LIMITS, NO_RESULT = 77, 78, 79
"""Exit status of a child that could not even say so, whose limits could not be set, whose work raised an exception."""
_NEAR_LIMIT = 0.8  # a process that died this close to its limit died of it


def _peak_bytes(usage: resource.struct_rusage) -> int:
    return usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def timed_out(timeout_s: float) -> Outcome:
    """The outcome of a report that took too long."""
    return Outcome(
        ending=Ending.TIMEOUT,
        error="Timeout",
        message=f"reading {THE_REPORT} took longer than {timeout_s:.3g} s",
        hint="Give it more time with --timeout; a damaged file may never end.",
    )


def out_of_memory(memory_bytes: int) -> Outcome:
    """The outcome of a report that wanted more memory than it may have."""
    return Outcome(
        ending=Ending.MEMORY,
        error="MemoryError",
        message=f"reading {THE_REPORT} needs more than {memory_bytes / (1 << 20):,.0f} MiB of memory",
        hint="Give it more with --memory-limit; a damaged file may ask for any amount.",
    )


def _killed() -> Outcome:
    return Outcome(
        ending=Ending.MEMORY,
        error="SIGKILL",
        message=f"the reader of {THE_REPORT} was killed by the system",
        hint="The machine may be out of memory: use fewer --jobs, or a lower --memory-limit.",
    )


def outcome_of_death(status: int, usage: resource.struct_rusage, memory_bytes: int) -> Outcome:
    """The outcome of a child that gave no result, by its status as ``wait`` gives it."""
    near_limit = _peak_bytes(usage) > _NEAR_LIMIT * memory_bytes
    if not os.WIFSIGNALED(status):
        return _left(os.WEXITSTATUS(status), near_limit, memory_bytes)
    cause = signal.Signals(os.WTERMSIG(status))
    if cause is signal.SIGXCPU:
        return timed_out(usage.ru_utime + usage.ru_stime)
    if near_limit:
        return out_of_memory(memory_bytes)
    return _killed() if cause is signal.SIGKILL else _crashed(cause.name)


def _left(status: int, near_limit: bool, memory_bytes: int) -> Outcome:
    """The outcome of a child that ended by itself, without a result."""
    if status == NO_LIMITS:
        return machine_failed(OSError("the limits of the reader cannot be set"))
    if status == OUT_OF_MEMORY or near_limit:
        return out_of_memory(memory_bytes)
    return _without_result() if status in (0, NO_RESULT) else _crashed(f"exit {status}")


def _without_result() -> Outcome:
    return Outcome(
        ending=Ending.INTERNAL,
        error="NoResult",
        message=f"the reader of {THE_REPORT} ended without a result",
        hint="Please report it, with the file if you may share it.",
    )


def _crashed(name: str) -> Outcome:
    return Outcome(
        ending=Ending.CRASHED,
        error=name,
        message=f"the reader of {THE_REPORT} died ({name})",
        hint="The file is damaged, or of a kind that NVIDIA's ncu_report cannot read: open it in ncu-ui to see.",
    )
