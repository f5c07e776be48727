"""Reads reports on a Dask cluster: an existing one by its scheduler's address, or one made on this machine.

Workers read through the same isolated readers as ``local_engine``, so results are the same. A worker that dies costs
nothing: Dask runs its reports again elsewhere, and this side keeps every result as it arrives. Workers run what the
scheduler sends them, so use a cluster that you trust; the reports need no trust.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from typing import Any

from ncuanalyze.batch.engine import IsDone, ReaderSettings
from ncuanalyze.batch.found import Found
from ncuanalyze.batch.isolated import IsolatedReader
from ncuanalyze.batch.outcome import THE_REPORT, Ending, Outcome
from ncuanalyze.batch.reading import Reading, read_report
from ncuanalyze.errors import InvalidInput, MissingDependency

_WAITING_PER_THREAD = 4
_FEWEST_WAITING = 8


class DaskEngine:
    """Reads reports on ``address``, or, where that is None, on a cluster of ``jobs`` processes made here.

    Paths must mean the same file on every worker (a shared file system), or be URLs that workers can open.
    """

    is_remote = True

    def __init__(self, address: str | None, jobs: int, settings: ReaderSettings) -> None:
        self._address = address
        self._jobs = jobs
        self._settings = settings

    def readings(self, todo: Iterable[Found], is_done: IsDone) -> Iterator[Reading]:
        """One reading for each report, as they end; what is done is told by ``Found.known``."""
        with ExitStack() as stack:
            client = self._client(stack)
            yield from _streamed(client, todo, self._settings)

    def _client(self, stack: ExitStack) -> Any:
        distributed = _distributed()
        target: Any = self._address
        if target is None:
            target = stack.enter_context(
                distributed.LocalCluster(
                    n_workers=self._jobs,
                    threads_per_worker=1,
                    processes=True,
                    dashboard_address=":0",
                    silence_logs=logging.CRITICAL,
                )
            )
        try:
            return stack.enter_context(distributed.Client(target))
        except (OSError, ValueError) as error:
            raise InvalidInput(
                f"cannot reach the scheduler at {self._address}: {error}",
                hint="Give its address as tcp://HOST:PORT, and check that it runs.",
            ) from error


def _distributed() -> Any:
    try:
        import distributed
    except ImportError as error:
        raise MissingDependency(
            "--engine dask needs the dask library", hint="Install it with: pip install 'ncuanalyze[dask]'"
        ) from error
    return distributed


def _streamed(client: Any, todo: Iterable[Found], settings: ReaderSettings) -> Iterator[Reading]:
    """Submit as results come back: the scheduler never holds more than a few reports for each thread."""
    fingerprint = settings.fingerprint()
    ended = _distributed().as_completed()
    founds: dict[str, Found] = {}
    for found in todo:
        future = client.submit(read_on_worker, found, settings, fingerprint, pure=False)
        founds[future.key] = found
        ended.add(future)
        while len(founds) >= max(_FEWEST_WAITING, _WAITING_PER_THREAD * sum(client.nthreads().values())):
            yield _reading(next(ended), founds)
    while founds:
        yield _reading(next(ended), founds)


def _reading(future: Any, founds: dict[str, Found]) -> Reading:
    found = founds.pop(future.key)
    try:
        reading: Reading | None = future.result()
    except _distributed().KilledWorker:
        return Reading(found=found, outcome=_lost())
    finally:
        future.release()
    if reading is None:
        raise InvalidInput(
            "a worker has another version of ncuanalyze, of ncu_report or of the rules",
            hint="Install the same versions everywhere; rules and thresholds must be readable by every worker.",
        )
    return reading


def _lost() -> Outcome:
    return Outcome(
        ending=Ending.UNREACHABLE,
        error="KilledWorker",
        message=f"the workers that were to read {THE_REPORT} died, one after the other",
        hint="They may be out of memory: give them more, or lower --memory-limit.",
    )


_READERS = threading.local()


def read_on_worker(found: Found, settings: ReaderSettings, fingerprint: str) -> Reading | None:
    """Read one report in this worker; a worker thread keeps its reader for the reports to come.

    None where this worker's installation would judge differently.
    """
    if settings.fingerprint() != fingerprint:
        return None
    reading = read_report(found, _reader(settings), lambda sha256: sha256 == found.known)
    return replace(reading, found=replace(found, data=None))  # the bytes need not travel back


def _reader(settings: ReaderSettings) -> IsolatedReader:
    known = getattr(_READERS, "known", None)
    if known is not None and known[0] == settings:
        reader: IsolatedReader = known[1]
        return reader
    if known is not None:
        known[1].close()
    reader = settings.reader()
    _READERS.known = (settings, reader)
    return reader
