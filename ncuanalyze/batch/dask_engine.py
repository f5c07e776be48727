"""Reads reports on a Dask cluster: an existing one by its scheduler's address, or one made on this machine.

Workers read through the same isolated readers as ``local_engine``, so results are the same. A worker that dies costs
nothing: its reports are read again elsewhere, and this side keeps every result as it arrives. Workers run what the
scheduler sends them, so use a cluster that you trust; the reports need no trust.
"""

from __future__ import annotations

import threading
from collections.abc import Generator, Iterable
from contextlib import ExitStack
from dataclasses import replace
from functools import partial

from ncuanalyze.batch.dask_client import connected, distributed_library
from ncuanalyze.batch.dask_stream import Stream
from ncuanalyze.batch.engine import IsDone, ReaderSettings
from ncuanalyze.batch.found import Found
from ncuanalyze.batch.held_interrupts import held_interrupts
from ncuanalyze.batch.isolated import IsolatedReader
from ncuanalyze.batch.own_cluster import local_cluster
from ncuanalyze.batch.reading import Reading, read_report


class DaskEngine:
    """Reads reports on ``address``, or, where that is None, on a cluster of ``jobs`` processes made here.

    Paths must mean the same file on every worker (a shared file system), or be URLs that workers can open.
    """

    is_remote = True

    def __init__(self, address: str | None, jobs: int, settings: ReaderSettings) -> None:
        self._address = address
        self._jobs = jobs
        self._settings = settings

    def readings(self, todo: Iterable[Found], is_done: IsDone) -> Generator[Reading]:
        """One reading for each report, as they end; what is done is told by ``Found.known``.

        Raises ClusterLost where the scheduler or every worker is gone.
        """
        with ExitStack() as stack:
            held = stack.enter_context(held_interrupts())
            distributed_library()
            address = self._address or stack.enter_context(local_cluster(self._jobs, held.let_through))
            client = stack.enter_context(connected(address, held.let_through))
            submit = partial(client.submit, read_on_worker, pure=False)
            settings, fingerprint = self._settings, self._settings.fingerprint()
            stream = Stream(client, address, lambda found: submit(found, settings, fingerprint), held.let_through)
            yield from stream.readings(todo)


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
