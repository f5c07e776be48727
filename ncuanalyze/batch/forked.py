"""Runs one piece of work in a forked process with limits on its time, its memory and what it leaves behind."""

from __future__ import annotations

import faulthandler
import os
import resource
import select
import shutil
import signal
import tempfile
import time
from collections.abc import Callable

from ncuanalyze.batch.deaths import NO_LIMITS, NO_RESULT, OUT_OF_MEMORY, outcome_of_death, timed_out
from ncuanalyze.batch.machine_errors import machine_failed
from ncuanalyze.batch.orphans import die_with
from ncuanalyze.batch.outcome import Outcome
from ncuanalyze.batch.process_limits import lower, lower_cpu, within
from ncuanalyze.record import record

Work = Callable[[], Outcome]

MOST_RESULT_BYTES = 1 << 30
"""A result larger than this is no diagnosis."""
_CHUNK = 1 << 20
_CPU_GRACE_S = 60


def run_forked(
    work: Work, *, timeout_s: float, memory_bytes: int, alive: int | None = None, private: tuple[int, ...] = ()
) -> Outcome:
    """The outcome of ``work``, run in a child of this process; a child that dies or hangs gives an outcome too.

    ``alive`` is a descriptor that becomes readable when nobody waits for the result any more: the child is then
    killed and ``InterruptedError`` raised. Temporary files of the child go away with it. ``private`` are descriptors
    that the child closes: who reads at their far ends then sees when this process is killed.
    """
    try:
        folder = tempfile.mkdtemp(prefix="ncuanalyze-one-")
        try:
            memory_bytes = within(resource.RLIMIT_AS, memory_bytes)
            terms = _Terms(folder=folder, timeout_s=timeout_s, memory_bytes=memory_bytes, private=private)
            return _forked(work, terms, alive)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    except InterruptedError:
        raise
    except OSError as error:  # no more processes, files or room
        return machine_failed(error)


@record
class _Terms:
    """What a child may use, where it leaves its files, and which descriptors it closes."""

    folder: str
    timeout_s: float
    memory_bytes: int
    private: tuple[int, ...]


def _forked(work: Work, terms: _Terms, alive: int | None) -> Outcome:
    parent = os.getpid()
    reading, writing = os.pipe()
    try:
        child = os.fork()
    except OSError:
        os.close(reading)
        os.close(writing)
        raise
    if child == 0:
        os.close(reading)
        _be_the_child(work, writing, parent, terms)
    os.close(writing)
    try:
        data, hung = _collected(reading, time.monotonic() + terms.timeout_s, alive)
    finally:
        os.close(reading)
        os.kill(child, signal.SIGKILL)
        _, status, usage = os.wait4(child, 0)
    if hung:
        return timed_out(terms.timeout_s)
    return Outcome.from_bytes(data) or outcome_of_death(status, usage, terms.memory_bytes)


def _be_the_child(work: Work, writing: int, parent: int, terms: _Terms) -> None:
    """Never returns: the process ends without the clean-up of Python and of native libraries."""
    status = NO_LIMITS
    try:
        die_with(parent)
        for descriptor in terms.private:
            os.close(descriptor)
        _limit(terms)
        status = NO_RESULT
        _write_all(writing, work().to_bytes())
        status = 0
    except MemoryError:
        status = OUT_OF_MEMORY
    finally:
        os._exit(status)


def _limit(terms: _Terms) -> None:
    tempfile.tempdir = terms.folder
    faulthandler.disable()
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):  # native code complains of damage there
        os.dup2(nowhere, stream)
    lower(resource.RLIMIT_CORE, 0)
    lower(resource.RLIMIT_FSIZE, 2 * terms.memory_bytes)
    lower_cpu(int(terms.timeout_s) + _CPU_GRACE_S)  # ends a child whose parent was killed and no longer watches
    lower(resource.RLIMIT_AS, terms.memory_bytes)


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
