"""The same dataset from a real local cluster of several processes, also when one of them is killed midway."""

import os
import shutil
import signal
from collections.abc import Generator, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from batch.in_process import ODD, SETTINGS, content, run
from ncuanalyze.batch.dask_engine import DaskEngine
from ncuanalyze.batch.engine import IsDone
from ncuanalyze.batch.found import Found
from ncuanalyze.batch.reading import Reading
from ncuanalyze.errors import InvalidInput

distributed = pytest.importorskip("distributed", reason="dask is not installed")
pytest.importorskip("pyarrow", reason="pyarrow is not installed")

NAMES = ("raw_units.csv", "kernel_names.csv", "thousands.csv", "small_3kernels.ncu-rep", "trunc_000300.ncu-rep")


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0", silence_logs=50
    ) as cluster:
        yield cluster


@pytest.fixture(scope="module")
def night(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("night")
    for copy in range(6):
        for name in NAMES:
            (folder / f"{copy}_{name}").write_bytes((ODD / name).read_bytes() + b"\n" * (copy if "csv" in name else 0))
    shutil.make_archive(str(folder / "more"), "zip", ODD, "raw_nvtx.csv")
    return folder


@pytest.fixture(scope="module")
def local(night: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    output = tmp_path_factory.mktemp("local")
    run([night], output)
    return content(output)


class Killing(DaskEngine):
    """Kills a worker's process, and all it is doing, after the first readings."""

    killed: int | None = None

    def readings(self, todo: Iterable[Found], is_done: IsDone) -> Generator[Reading]:
        for number, reading in enumerate(super().readings(todo, is_done)):
            if number == 4:
                with distributed.Client(self._address) as client:
                    self.killed = next(iter(client.run(os.getpid).values()))
                os.kill(self.killed, signal.SIGKILL)
            yield reading


def test_the_dataset_is_that_of_a_local_run(cluster: Any, night: Path, local: dict[str, bytes], tmp_path: Path) -> None:
    engine = DaskEngine(cluster.scheduler_address, 2, SETTINGS)
    first = run([night], tmp_path / "out", engine=engine)
    assert content(tmp_path / "out") == local
    again = run([night], tmp_path / "out", engine=engine)
    assert (again.read, again.reused) == (0, first.reports)


def test_a_worker_killed_midway_loses_nothing(
    cluster: Any, night: Path, local: dict[str, bytes], tmp_path: Path
) -> None:
    engine = Killing(cluster.scheduler_address, 2, SETTINGS)
    run([night], tmp_path / "out", engine=engine)
    assert engine.killed is not None
    assert content(tmp_path / "out") == local


def test_a_worker_of_another_version_is_refused(cluster: Any, night: Path, tmp_path: Path) -> None:
    engine = DaskEngine(cluster.scheduler_address, 2, SETTINGS)
    with distributed.Client(cluster.scheduler_address) as client:
        client.wait_for_workers(2, timeout=30)  # one may still be coming back from being killed
        client.run(_judge_differently)
    try:
        with pytest.raises(InvalidInput, match="another version"):
            run([night], tmp_path / "out", engine=engine)
    finally:
        with distributed.Client(cluster.scheduler_address) as client:
            client.run(_judge_alike)


def _judge_differently() -> None:
    from ncuanalyze.batch import engine

    engine.kept = engine.fingerprint  # type: ignore[attr-defined]
    engine.fingerprint = lambda *_: "another"  # type: ignore[assignment]


def _judge_alike() -> None:
    from ncuanalyze.batch import engine

    engine.fingerprint = getattr(engine, "kept", engine.fingerprint)


def test_a_cluster_is_made_where_none_is_named(night: Path, tmp_path: Path) -> None:
    result = run([night / "0_raw_units.csv"], tmp_path / "out", engine=DaskEngine(None, 1, SETTINGS))
    assert (result.reports, result.errors) == (1, 0)


def test_a_scheduler_that_is_not_there(night: Path, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="cannot reach the scheduler"):
        run([night], tmp_path / "out", engine=DaskEngine("nonsense://nowhere", 1, SETTINGS))
