"""Reads reports with several isolated readers on this machine."""

from __future__ import annotations

import os
import threading
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait

from ncuanalyze.batch.engine import IsDone, ReaderSettings
from ncuanalyze.batch.found import Found
from ncuanalyze.batch.isolated import IsolatedReader
from ncuanalyze.batch.reading import Reading, read_report, refused

MOST_JOBS_PER_CORE = 4
"""More only wait for each other; each takes a process with everything loaded."""
_WAITING_PER_JOB = 4


def usable_cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class LocalEngine:
    """``jobs`` reports at a time, each read in a process of its own."""

    is_remote = False

    def __init__(self, jobs: int, settings: ReaderSettings) -> None:
        self._jobs = jobs
        self._settings = settings
        self._own = threading.local()
        self._readers: list[IsolatedReader] = []

    def readings(self, todo: Iterable[Found], is_done: IsDone) -> Generator[Reading]:
        """One reading for each report, as they end."""
        pool = ThreadPoolExecutor(self._jobs, thread_name_prefix="ncuanalyze-batch")
        waiting: list[Future[Reading]] = []
        try:
            for found in todo:
                if found.refused:
                    yield refused(found)
                    continue
                waiting.append(pool.submit(self._read, found, is_done))
                if len(waiting) >= _WAITING_PER_JOB * self._jobs:
                    yield from _ended(waiting)
            while waiting:
                yield from _ended(waiting)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
            for reader in self._readers:
                reader.close()
            pool.shutdown(wait=True)

    def _read(self, found: Found, is_done: IsDone) -> Reading:
        if not hasattr(self._own, "reader"):
            self._own.reader = self._settings.reader()
            self._readers.append(self._own.reader)
        return read_report(found, self._own.reader, is_done)


def _ended(waiting: list[Future[Reading]]) -> Iterator[Reading]:
    """Wait for at least one, and take those that have ended off the list, in its order."""
    ended = wait(waiting, return_when=FIRST_COMPLETED).done
    done = [future for future in waiting if future in ended]
    waiting[:] = [future for future in waiting if future not in ended]
    yield from (future.result() for future in done)
