"""Runs one piece of work in a forked process with limits on its time, its memory and what it leaves behind."""

from __future__ import annotations

import faulthandler
import os
import resource
import select
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable

from ncuanalyze.batch.outcome import THE_REPORT, Ending, Outcome

Work = Callable[[], Outcome]

MOST_RESULT_BYTES = 1 << 30
"""A result larger than this is no diagnosis."""
_CHUNK = 1 << 20
_CPU_GRACE_S = 60
_OUT_OF_MEMORY = 77  # exit status of a child that could not even say so
_NEAR_LIMIT = 0.8  # a process that died this close to its limit died of it


def run_forked(work: Work, *, timeout_s: float, memory_bytes: int, alive: int | None = None) -> Outcome:
    """The outcome of ``work``, run in a child of this process; a child that dies or hangs gives an outcome too.

    ``alive`` is a descriptor that becomes readable when nobody waits for the result any more: the child is then
    killed and ``InterruptedError`` raised. Temporary files of the child go away with it.
    """
    folder = tempfile.mkdtemp(prefix="ncuanalyze-one-")
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        _be_the_child(work, writing, folder, (memory_bytes, timeout_s))
    os.close(writing)
    try:
        data, hung = _collected(reading, time.monotonic() + timeout_s, alive)
    finally:
        os.close(reading)
        os.kill(child, signal.SIGKILL)
        _, status, usage = os.wait4(child, 0)
        shutil.rmtree(folder, ignore_errors=True)
    if hung:
        return _timeout(timeout_s)
    return Outcome.from_bytes(data) or _death(status, _peak_bytes(usage), memory_bytes)


def _be_the_child(work: Work, writing: int, folder: str, limits: tuple[int, float]) -> None:
    """Never returns: the process ends without the clean-up of Python and of native libraries."""
    try:
        _limit(folder, *limits)
        _write_all(writing, work().to_bytes())
    except MemoryError:
        os._exit(_OUT_OF_MEMORY)
    finally:
        os._exit(0)


def _limit(folder: str, memory_bytes: int, timeout_s: float) -> None:
    tempfile.tempdir = folder
    faulthandler.disable()
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):  # native code complains of damage there
        os.dup2(nowhere, stream)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (2 * memory_bytes, 2 * memory_bytes))
    seconds = int(timeout_s) + _CPU_GRACE_S  # ends a child whose parent was killed and no longer watches
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))


def _write_all(writing: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(writing, view) :]


def _collected(reading: int, deadline: float, alive: int | None) -> tuple[bytes, bool]:
    """What the child wrote until it closed the pipe, and whether it ran out of time before."""
    parts: list[bytes] = []
    watched = [reading] if alive is None else [reading, alive]
    size = 0
    while True:
        ready, _, _ = select.select(watched, [], [], max(0.0, deadline - time.monotonic()))
        if not ready:
            return b"", True
        if reading not in ready:
            raise InterruptedError("nobody waits for the result")
        part = os.read(reading, _CHUNK)
        size += len(part)
        if not part or size > MOST_RESULT_BYTES:
            return b"".join(parts) if size <= MOST_RESULT_BYTES else b"", False
        parts.append(part)


def _peak_bytes(usage: resource.struct_rusage) -> int:
    return usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def _timeout(timeout_s: float) -> Outcome:
    return Outcome(
        ending=Ending.TIMEOUT,
        error="Timeout",
        message=f"reading {THE_REPORT} took longer than {timeout_s:g} s",
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


def _death(status: int, peak_bytes: int, memory_bytes: int) -> Outcome:
    without_memory = os.WIFEXITED(status) and os.WEXITSTATUS(status) == _OUT_OF_MEMORY
    if without_memory or peak_bytes > _NEAR_LIMIT * memory_bytes:
        return out_of_memory(memory_bytes)
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL:
        return _killed()
    name = signal.Signals(os.WTERMSIG(status)).name if os.WIFSIGNALED(status) else f"exit {os.WEXITSTATUS(status)}"
    return Outcome(
        ending=Ending.CRASHED,
        error=name,
        message=f"the reader of {THE_REPORT} died ({name})",
        hint="The file is damaged, or of a kind that NVIDIA's ncu_report cannot read: open it in ncu-ui to see.",
    )
