"""A Dask cluster that loses its workers or its scheduler, or never had any: one error, and the same command goes on."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from batch.in_process import ODD, SETTINGS, InProcess, run
from ncuanalyze.batch import dask_client, dask_stream
from ncuanalyze.batch.dask_client import ClusterLost
from ncuanalyze.batch.dask_engine import DaskEngine
from ncuanalyze.batch.engine import IsDone
from ncuanalyze.batch.found import Found
from ncuanalyze.batch.outcome import OF_THE_MOMENT
from ncuanalyze.batch.reading import Reading
from ncuanalyze.errors import InvalidInput, NcuAnalyzeError

distributed = pytest.importorskip("distributed", reason="dask is not installed")
pytest.importorskip("pyarrow", reason="pyarrow is not installed")

REPORTS = 40


class Cluster:
    """A scheduler and workers without nannies, as processes that can be killed."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self._stack = stack
        self._folder = folder
        note = folder / "scheduler.json"
        self.scheduler = self._process("dask_scheduler", "--port", "0", "--scheduler-file", str(note), "--no-dashboard")
        while not note.is_file() or not note.read_text():
            time.sleep(0.1)
        with distributed.Client(scheduler_file=str(note), set_as_default=False) as client:
            self.address = str(client.scheduler.address)

    def worker(self, *options: str, without: str = "") -> subprocess.Popen[bytes]:
        """A worker with one thread, ready; it cannot import the package ``without``."""
        if without:
            blocker = f"import sys\nsys.modules[{without!r}] = None\n"
            (self._folder / "sitecustomize.py").write_text(blocker)
        path = {"PYTHONPATH": str(self._folder)} if without else {}
        arguments = (self.address, "--nthreads", "1", *(options or ("--no-nanny",)), "--no-dashboard")
        worker = self._process("dask_worker", *arguments, **path)
        with distributed.Client(self.address, set_as_default=False) as client:
            client.wait_for_workers(1, timeout=30)
        return worker

    def _process(self, name: str, *arguments: str, **environment: str) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            [sys.executable, "-m", f"distributed.cli.{name}", *arguments],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=self._folder,
            start_new_session=True,
            env={**os.environ, **environment},
        )
        self._stack.callback(process.wait)
        self._stack.callback(kill_session, process)
        return process


def kill_session(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    with ExitStack() as stack:
        (tmp_path / "cluster").mkdir()
        yield Cluster(tmp_path / "cluster", stack)


@pytest.fixture
def night(tmp_path: Path) -> Path:
    folder = tmp_path / "night"
    folder.mkdir()
    for copy in range(REPORTS):
        (folder / f"{copy}.csv").write_bytes((ODD / "raw_units.csv").read_bytes() + b"\n" * copy)
    return folder


class Doing(DaskEngine):
    """Does something after the fifth reading."""

    def __init__(self, cluster: Cluster, act: Callable[[], object]) -> None:
        super().__init__(cluster.address, 1, SETTINGS)
        self._act = act

    def readings(self, todo: Iterable[Found], is_done: IsDone) -> Generator[Reading]:
        for number, reading in enumerate(super().readings(todo, is_done)):
            if number == 4:
                self._act()
            yield reading


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask_client, "NO_WORKERS_S", 2.0)


@contextmanager
def lost(said: str) -> Iterator[None]:
    with pytest.raises(ClusterLost, match=said) as caught:
        yield
    assert "the same command goes on from here" in caught.value.hint


def journal(output: Path) -> list[str]:
    return (output / "journal.jsonl").read_text().splitlines()


@pytest.mark.usefixtures("impatient")
def test_a_scheduler_without_workers(cluster: Cluster, night: Path, tmp_path: Path) -> None:
    with lost(f"no workers at {cluster.address}"):
        run([night], tmp_path / "out", engine=DaskEngine(cluster.address, 1, SETTINGS))


def test_workers_without_the_package(cluster: Cluster, night: Path, tmp_path: Path) -> None:
    cluster.worker(without="ncuanalyze")
    with pytest.raises(InvalidInput, match="lacks ncuanalyze"):
        run([night], tmp_path / "out", engine=DaskEngine(cluster.address, 1, SETTINGS))


@pytest.mark.usefixtures("impatient")
def test_all_workers_gone_midway(cluster: Cluster, night: Path, tmp_path: Path) -> None:
    worker = cluster.worker()
    with lost("no workers at"):
        run([night], tmp_path / "out", engine=Doing(cluster, worker.kill))
    assert 5 <= len(journal(tmp_path / "out")) < REPORTS
    cluster.worker()
    result = run([night], tmp_path / "out", engine=DaskEngine(cluster.address, 1, SETTINGS))
    assert (result.reports, result.errors, result.reused >= 5) == (REPORTS, 0, True)


def test_the_scheduler_gone_midway(cluster: Cluster, night: Path, tmp_path: Path) -> None:
    cluster.worker()
    with lost("the scheduler at tcp://.* went away"):
        run([night], tmp_path / "out", engine=Doing(cluster, cluster.scheduler.kill))
    assert 5 <= len(journal(tmp_path / "out")) < REPORTS


def test_reports_survive_workers_that_die_again_and_again(cluster: Cluster, night: Path, tmp_path: Path) -> None:
    cluster.worker("--nanny")

    def kill_often() -> None:
        with distributed.Client(cluster.address, set_as_default=False) as client:
            killed: set[int] = set()
            while len(killed) < 5:
                for pid in set(_pids(client)) - killed:
                    killed.add(pid)
                    os.kill(pid, signal.SIGKILL)
                time.sleep(0.1)

    result = run([night], tmp_path / "out", engine=Doing(cluster, kill_often))
    assert (result.reports, result.errors) == (REPORTS, 0)


def _pids(client: Any) -> list[int]:
    try:
        return list(client.run(os.getpid, on_error="ignore").values())
    except (OSError, ValueError):
        return []


class Dying:
    """Futures of a cluster whose workers die of every report, or of those with a name that has ``deadly``."""

    status = "running"

    def __init__(self, deadly: str) -> None:
        self._deadly = deadly
        self.submitted: list[str] = []

    def nthreads(self) -> dict[str, int]:
        return {"worker": 1}

    def run(self, *_: object, **__: object) -> dict[str, str]:
        return {}

    def submit(self, found: Found) -> "Settled":
        self.submitted.append(found.report)
        return Settled(f"{found.report}-{len(self.submitted)}", None if self._deadly in found.report else found)


class Settled:
    """A future that has ended."""

    def __init__(self, key: str, found: Found | None) -> None:
        self.key = key
        self._found = found

    def add_done_callback(self, call: Callable[[Any], None]) -> None:
        call(self)

    def result(self, timeout: float) -> Reading:
        if self._found is None:
            raise distributed.KilledWorker(self.key, None, 3)
        return Reading(found=self._found)

    def release(self) -> None:
        pass


def test_a_report_is_given_up_after_several_submissions_and_the_next_run_tries_again() -> None:
    client = Dying("bad")
    stream = dask_stream.Stream(client, "tcp://x", client.submit, lambda: None)
    readings = {item.found.report: item for item in stream.readings([Found(report="bad"), Found(report="good")])}
    assert client.submitted.count("bad") == dask_stream.MOST_SUBMISSIONS
    outcome = readings["bad"].outcome
    assert outcome is not None and outcome.ending in OF_THE_MOMENT
    assert readings["good"].outcome is None


class GivingUp(InProcess):
    """Loses every report."""

    def readings(self, todo: Iterable[Found], is_done: IsDone) -> Generator[Reading]:
        yield from map(dask_stream.given_up, todo)


def test_what_was_given_up_is_read_by_the_next_run(tmp_path: Path) -> None:
    (tmp_path / "night").mkdir()
    shutil.copy(ODD / "raw_units.csv", tmp_path / "night")
    shutil.make_archive(str(tmp_path / "night" / "more"), "zip", ODD, "raw_nvtx.csv")
    lost_all = run([tmp_path / "night"], tmp_path / "out", engine=GivingUp(is_remote=True))
    assert (lost_all.reports, lost_all.errors) == (2, 2)
    assert run([tmp_path / "night"], tmp_path / "out", engine=InProcess(is_remote=True)).errors == 0


def test_a_cluster_whose_workers_die_of_every_report_is_broken() -> None:
    client = Dying("")
    stream = dask_stream.Stream(client, "tcp://x", client.submit, lambda: None)
    with lost("die one after the other"):
        list(stream.readings(Found(report=str(number)) for number in range(1000)))
    assert len(set(client.submitted)) < 50


def test_a_failure_of_the_cluster_is_no_traceback() -> None:
    class Failing(Settled):
        def result(self, timeout: float) -> Reading:
            raise RuntimeError("Error during deserialization of the task graph. This\nhappens")

    client = Dying("")
    stream = dask_stream.Stream(client, "tcp://x", lambda found: Failing("a", found), lambda: None)
    with pytest.raises(
        NcuAnalyzeError, match=r"cannot run the readers: Error during deserialization of the task graph$"
    ):
        list(stream.readings([Found(report="a")]))
