"""Submits work to a Dask cluster as results come back, and again where workers died over it."""

from __future__ import annotations

import asyncio
import concurrent.futures
import queue
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

from ncuanalyze.batch.dask_client import GOES_ON, ClusterLost, Workers, distributed_library, lost_scheduler
from ncuanalyze.batch.found import Found
from ncuanalyze.batch.held_interrupts import SafePlace
from ncuanalyze.batch.outcome import THE_REPORT, Ending, Outcome
from ncuanalyze.batch.reading import Reading
from ncuanalyze.errors import InvalidInput, NcuAnalyzeError

MOST_SUBMISSIONS = 5
"""A report is read in a process of its own, so a worker hardly ever dies of one. The scheduler counts a death against
every report that waited on that worker, and gives one up after four."""
MOST_LOST_IN_A_ROW = 8
"""So many reports given up, and none read between them: the cluster is broken, not the reports."""
_WAITING_PER_THREAD = 4
_FEWEST_WAITING = 8
_POLL_S = 0.25
_RESULT_S = 30.0
_CANCELLED = (asyncio.CancelledError, concurrent.futures.CancelledError)

Submit = Callable[[Found], Any]


class Stream:
    """``submit`` gives a future of a Reading, or of None where the worker's installation would judge differently.

    ``safe_place`` is called wherever an interrupt leaves nothing half done.
    """

    def __init__(self, client: Any, address: str, submit: Submit, safe_place: SafePlace) -> None:
        self._client = client
        self._address = address
        self._submit = submit
        self._safe_place = safe_place
        self._workers = Workers(client, address, safe_place)
        self._ended: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._waiting: dict[str, tuple[Found, int]] = {}
        self._lost_in_a_row = 0

    def readings(self, todo: Iterable[Found]) -> Iterator[Reading]:
        """One reading each, as they end: the scheduler never holds more than a few for each thread."""
        self._workers.require()
        for found in todo:
            self._safe_place()
            self._start(found, 1)
            while len(self._waiting) >= max(_FEWEST_WAITING, _WAITING_PER_THREAD * self._workers.threads()):
                yield self._next()
        while self._waiting:
            yield self._next()

    def _start(self, found: Found, submission: int) -> None:
        try:
            future = self._submit(found)
        except Exception as error:  # the library raises what it likes on a connection that is down
            if self._client.status == "running" or isinstance(error, NcuAnalyzeError):
                raise
            raise lost_scheduler(self._address) from error
        self._waiting[future.key] = (found, submission)
        future.add_done_callback(self._ended.put)

    def _next(self) -> Reading:
        while True:
            self._safe_place()
            try:
                future = self._ended.get(timeout=_POLL_S)
            except queue.Empty:
                self._workers.threads()
                continue
            if (reading := self._reading(future)) is not None:
                return reading

    def _reading(self, future: Any) -> Reading | None:
        """What became of it; None where it is under way again."""
        try:
            reading: Reading | None = future.result(timeout=_RESULT_S)
        except distributed_library().KilledWorker:
            return self._once_more(future)
        except TimeoutError:  # the worker died with the result: it is read again
            future.add_done_callback(self._ended.put)
            return None
        except _CANCELLED as error:
            raise lost_scheduler(self._address) from error
        except NcuAnalyzeError:
            raise
        except Exception as error:
            raise _failed(error) from error
        self._waiting.pop(future.key)
        future.release()
        self._lost_in_a_row = 0
        return _judged_alike(reading)

    def _once_more(self, future: Any) -> Reading | None:
        found, submission = self._waiting.pop(future.key)
        future.release()
        if submission < MOST_SUBMISSIONS:
            self._start(found, submission + 1)
            return None
        self._lost_in_a_row += 1
        if self._lost_in_a_row >= MOST_LOST_IN_A_ROW:
            raise ClusterLost(
                f"the workers at {self._address} die one after the other",
                hint=f"See their logs: they may be out of memory; {GOES_ON}.",
            )
        return given_up(found)


def _judged_alike(reading: Reading | None) -> Reading:
    if reading is None:
        raise InvalidInput(
            "a worker has another version of ncuanalyze, of ncu_report or of the rules",
            hint="Install the same versions everywhere; rules and thresholds must be readable by every worker.",
        )
    return reading


def _failed(error: Exception) -> ClusterLost:
    said = " ".join(str(error).split()) or type(error).__name__
    return ClusterLost(
        f"the cluster cannot run the readers: {said.partition('. ')[0].rstrip('.')}",
        hint=f"Install the same versions on the scheduler and on every worker; {GOES_ON}.",
    )


def given_up(found: Found) -> Reading:
    """The reading of a report that no worker survived. It has no version, so that it is not settled."""
    outcome = Outcome(
        ending=Ending.UNREACHABLE,
        error="KilledWorker",
        message=f"the workers that were to read {THE_REPORT} died, one after the other",
        hint="They may be out of memory: give them more, or lower --memory-limit.",
    )
    return Reading(found=replace(found, version="", archive_sha256="", data=None), outcome=outcome)
