"""A Dask cluster on this machine, in a session of its own: run as a process by ``local_cluster``.

Ctrl-C in the terminal reaches the batch alone, which then ends the whole session; a batch that is killed takes the
cluster with it.
"""

from __future__ import annotations

import logging
import os
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from ncuanalyze.batch.held_interrupts import SafePlace
from ncuanalyze.batch.own_folder import OwnFolder
from ncuanalyze.errors import NcuAnalyzeError

_READERS_END_S = 5.0
_LOOK_S = 0.05


@contextmanager
def local_cluster(jobs: int, safe_place: SafePlace) -> Iterator[str]:
    """The scheduler's address of a cluster with ``jobs`` workers; it and its files are gone afterwards."""
    with _folder() as folder:
        said = Path(folder) / "stderr.txt"
        with said.open("wb") as errors:
            process = subprocess.Popen(
                [sys.executable, "-P", "-m", "ncuanalyze.batch.own_cluster", str(jobs)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                start_new_session=True,
                env={**os.environ, "TMPDIR": folder},
            )
        try:
            _wait_for_word(process, safe_place)
            yield _address(process, said)
        finally:
            _end(process)


@contextmanager
def _folder() -> Iterator[str]:
    """A temporary folder. The readers end a moment after their workers, and may write to it until then."""
    folder = OwnFolder("dask")
    try:
        yield str(folder.path)
    finally:
        deadline = time.monotonic() + _READERS_END_S
        while folder.path.exists() and time.monotonic() < deadline:
            folder.remove()
            time.sleep(_LOOK_S)


def _wait_for_word(process: subprocess.Popen[bytes], safe_place: SafePlace) -> None:
    pipes = [pipe for pipe in (process.stdout,) if pipe]
    while not select.select(pipes, [], [], _LOOK_S)[0]:
        safe_place()


def _address(process: subprocess.Popen[bytes], said: Path) -> str:
    address = process.stdout.readline().decode().strip() if process.stdout else ""
    if not address:
        reason = said.read_text(encoding="utf-8", errors="replace").strip().splitlines()[-1:]
        raise NcuAnalyzeError(
            f"the Dask cluster does not start: {''.join(reason)}",
            hint="Use --engine local, or give the address of a cluster with --scheduler.",
        )
    return address


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill the session: its readers, in sessions of their own, end when their workers are gone."""
    with suppress(OSError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    for pipe in (process.stdin, process.stdout):
        with suppress(OSError):
            pipe.close()  # type: ignore[union-attr]


def main(jobs: int) -> None:
    """Print the scheduler's address, and serve until standard input ends."""
    from distributed import LocalCluster

    make: Any = LocalCluster
    cluster = make(
        n_workers=jobs,
        threads_per_worker=1,
        processes=True,
        dashboard_address=":0",
        silence_logs=logging.CRITICAL,
        local_directory=tempfile.gettempdir(),
    )
    print(cluster.scheduler_address, flush=True)  # noqa: T201
    sys.stdin.buffer.read()
    os.killpg(0, signal.SIGKILL)


if __name__ == "__main__":
    main(int(sys.argv[1]))
