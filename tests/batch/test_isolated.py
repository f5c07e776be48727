"""One reader over good, damaged and hostile files: each costs itself alone."""

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ncuanalyze.batch.isolated import IsolatedReader
from ncuanalyze.batch.limits import GIB, Limits
from ncuanalyze.batch.outcome import Ending, Outcome
from ncuanalyze.diagnose import diagnose
from ncuanalyze.errors import InvalidInput
from ncuanalyze.load import load

FIXTURES = Path(__file__).parents[2] / "fixtures"
GOOD = FIXTURES / "odd" / "small_3kernels.ncu-rep"


@pytest.fixture(scope="module")
def reader() -> Iterator[IsolatedReader]:
    with IsolatedReader(Limits(timeout_s=30)) as reader:
        yield reader


@pytest.mark.parametrize("name", ["odd/small_3kernels.ncu-rep", "triples/c26.ncu-rep.xz", "odd/raw_units.csv"])
def test_an_isolated_diagnosis_is_the_plain_one(reader: IsolatedReader, name: str) -> None:
    outcome = reader.diagnose(FIXTURES / name)
    assert outcome.ending is Ending.DIAGNOSED
    assert outcome.diagnosis() == diagnose(load(FIXTURES / name))


DAMAGED = [
    ("trunc_000300.ncu-rep", "UnreadableReport"),
    ("empty.ncu-rep", "UnreadableReport"),
    ("head_missing.ncu-rep", "UnknownFormat"),
    ("err_permission.csv", "ProfilingFailed"),
]


@pytest.mark.parametrize(("name", "error"), DAMAGED)
def test_a_damaged_file_is_refused_by_name(reader: IsolatedReader, name: str, error: str) -> None:
    outcome = reader.diagnose(FIXTURES / "odd" / name)
    assert (outcome.ending, outcome.error) == (Ending.REFUSED, error)
    assert outcome.hint
    assert "night.ncu-rep" in outcome.message_for("night.ncu-rep")
    assert str(FIXTURES) not in outcome.message
    with pytest.raises(ValueError, match="no diagnosis"):
        outcome.diagnosis()


def test_the_message_of_the_same_bytes_is_the_same_anywhere(reader: IsolatedReader, tmp_path: Path) -> None:
    other = tmp_path / "other.ncu-rep"
    damaged = FIXTURES / "odd" / "trunc_000300.ncu-rep"
    other.write_bytes(damaged.read_bytes())
    assert reader.diagnose(other) == reader.diagnose(damaged)


def test_a_hang_costs_its_file_alone(tmp_path: Path) -> None:
    endless = tmp_path / "endless.ncu-rep"
    os.mkfifo(endless)  # opening it waits for a writer that never comes
    with IsolatedReader(Limits(timeout_s=0.5)) as reader:
        assert reader.diagnose(endless).ending is Ending.TIMEOUT
        assert reader.diagnose(GOOD).ending is Ending.DIAGNOSED


def test_a_memory_bomb_costs_its_file_alone(tmp_path: Path) -> None:
    bomb = tmp_path / "bomb.csv"
    with bomb.open("wb") as file:
        file.write((FIXTURES / "odd" / "raw_units.csv").read_bytes() * 5)
        file.truncate(4 * GIB)  # sparse: takes no disk
    with IsolatedReader(Limits(timeout_s=30, memory_bytes=GIB)) as reader:
        outcome = reader.diagnose(bomb)
        assert (outcome.ending, outcome.error) == (Ending.MEMORY, "MemoryError")
        assert "1,024 MiB" in outcome.message
        assert reader.diagnose(GOOD).ending is Ending.DIAGNOSED


def test_a_lost_process_is_replaced(reader: IsolatedReader) -> None:
    reader.diagnose(GOOD)
    nursery = reader._nursery
    assert nursery is not None
    os.kill(nursery.pid, signal.SIGKILL)
    assert reader.diagnose(GOOD).ending is Ending.DIAGNOSED


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc")
def test_closing_ends_the_child_that_hangs(tmp_path: Path) -> None:
    endless = tmp_path / "endless.ncu-rep"
    os.mkfifo(endless)
    reader = IsolatedReader(Limits(timeout_s=60))
    outcomes: list[Outcome] = []
    thread = threading.Thread(target=lambda: outcomes.append(reader.diagnose(endless)))
    thread.start()
    wait_for(lambda: bool(children_of(getattr(reader._nursery, "pid", 0))))
    nursery = reader._nursery
    assert nursery is not None
    (child,) = children_of(nursery.pid)
    reader.close()
    thread.join(10)
    assert [outcome.ending for outcome in outcomes] == [Ending.MEMORY]
    wait_for(lambda: not Path(f"/proc/{child}").exists())


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc")
def test_a_process_killed_while_its_child_hangs_is_noticed_and_takes_the_child_along(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    endless = tmp_path / "endless.ncu-rep"
    os.mkfifo(endless)
    outcomes: list[Outcome] = []
    with IsolatedReader(Limits(timeout_s=600)) as reader:
        thread = threading.Thread(target=lambda: outcomes.append(reader.diagnose(endless)))
        thread.start()
        killed: set[int] = set()
        for _ in range(2):  # it is replaced once
            wait_for(lambda: getattr(reader._nursery, "pid", 0) not in killed and bool(children_of(_pid(reader))))
            (child,), nursery = children_of(_pid(reader)), _pid(reader)
            killed.add(nursery)
            os.kill(nursery, signal.SIGKILL)
            wait_for(lambda child=child: not _runs(child))  # type: ignore[misc]
        thread.join(10)
    assert [(outcome.ending, outcome.error) for outcome in outcomes] == [(Ending.MEMORY, "ReaderLost")]
    assert list(tmp_path.iterdir()) == [endless]


def _pid(reader: IsolatedReader) -> int:
    return reader._nursery.pid if reader._nursery is not None else 0


def _runs(pid: str) -> bool:
    """Whether the process is there and no mere zombie, for whoever must collect it."""
    status = Path(f"/proc/{pid}/stat")
    return status.exists() and status.read_text().rpartition(")")[2].split()[0] != "Z"


def wait_for(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def children_of(pid: int) -> list[str]:
    file = Path(f"/proc/{pid}/task/{pid}/children")
    return file.read_text().split() if file.exists() else []


def test_a_missing_file_is_unreachable(reader: IsolatedReader, tmp_path: Path) -> None:
    outcome = reader.diagnose(tmp_path / "gone.ncu-rep")
    assert outcome.ending is Ending.UNREACHABLE
    assert "No such file" in outcome.message


def test_wrong_thresholds_are_the_users_error(tmp_path: Path) -> None:
    with (
        IsolatedReader(thresholds=tmp_path / "none.toml") as reader,
        pytest.raises(InvalidInput, match=r"none\.toml"),
    ):
        reader.diagnose(GOOD)


def test_memory_grows_with_the_file_and_has_a_floor() -> None:
    assert Limits().memory_for(1) == GIB
    assert Limits().memory_for(GIB) == 16 * GIB
    assert Limits(memory_bytes=5).memory_for(GIB) == 5


@pytest.mark.parametrize("rules", ["", "/none"], ids=["rules", "no rules"])
def test_a_reader_whose_parent_is_gone_ends_without_a_word(rules: str) -> None:
    # it wrote its greeting to a closed pipe, outside of what catches that
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-P", "-m", "ncuanalyze.batch.nursery", rules, ""]
    ended = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=writing, stderr=subprocess.PIPE, check=False)
    os.close(writing)
    assert (ended.returncode, ended.stderr) == (0, b"")
