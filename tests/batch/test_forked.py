"""A child may crash, hang, eat memory, talk or write files: its parent gets an outcome and goes on."""

import errno
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from ncuanalyze.batch.forked import run_forked
from ncuanalyze.batch.outcome import Ending, Outcome

MIB = 1 << 20
GOOD = Outcome(ending=Ending.DIAGNOSED, packed=b"x" * (3 * MIB))


def segfault() -> Outcome:
    os.kill(os.getpid(), signal.SIGSEGV)
    return GOOD


def abort() -> Outcome:
    os.abort()


def leave() -> Outcome:
    os._exit(7)


def sleep() -> Outcome:
    time.sleep(60)
    return GOOD


def spin() -> Outcome:
    while True:
        pass


def ignore_signals_and_sleep() -> Outcome:
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGALRM):
        signal.signal(number, signal.SIG_IGN)
    return sleep()


def leave_as_if_well() -> Outcome:
    os._exit(0)


def killed_by_the_system() -> Outcome:
    os.kill(os.getpid(), signal.SIGKILL)
    return GOOD


def raise_quietly() -> Outcome:
    raise SystemExit(3)


ENDINGS = [
    (segfault, Ending.CRASHED, "SIGSEGV"),
    (abort, Ending.CRASHED, "SIGABRT"),
    (leave, Ending.CRASHED, "exit 7"),
    (raise_quietly, Ending.INTERNAL, "NoResult"),
    (leave_as_if_well, Ending.INTERNAL, "NoResult"),
    (killed_by_the_system, Ending.MEMORY, "SIGKILL"),
    (sleep, Ending.TIMEOUT, "Timeout"),
    (spin, Ending.TIMEOUT, "Timeout"),
    (ignore_signals_and_sleep, Ending.TIMEOUT, "Timeout"),
    (lambda: GOOD, Ending.DIAGNOSED, ""),
]


@pytest.mark.parametrize(("work", "ending", "error"), ENDINGS, ids=lambda value: getattr(value, "__name__", None))
def test_whatever_a_child_does_gives_an_outcome(work: Callable[[], Outcome], ending: Ending, error: str) -> None:
    started = time.monotonic()
    outcome = run_forked(work, timeout_s=0.4, memory_bytes=4096 * MIB)
    assert (outcome.ending, outcome.error) == (ending, error)
    assert bool(outcome.message) == bool(outcome.hint) == (ending is not Ending.DIAGNOSED)
    assert time.monotonic() - started < 5


def test_a_large_result_comes_back_whole() -> None:
    assert run_forked(lambda: GOOD, timeout_s=10, memory_bytes=4096 * MIB).packed == GOOD.packed


@pytest.mark.skipif(sys.platform == "darwin", reason="address space cannot be limited there")
def test_memory_above_the_limit_is_refused_to_the_child() -> None:
    def bomb() -> Outcome:
        return Outcome(ending=Ending.DIAGNOSED, packed=bytes(8192 * MIB))

    outcome = run_forked(bomb, timeout_s=10, memory_bytes=4096 * MIB)
    assert (outcome.ending, outcome.error) == (Ending.MEMORY, "MemoryError")
    assert "4,096 MiB" in outcome.message


def test_a_death_close_to_the_limit_counts_as_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    def grow_and_die() -> Outcome:
        hold = bytearray(300 * MIB)
        os.abort()
        return Outcome(ending=Ending.DIAGNOSED, error=str(len(hold)))

    monkeypatch.setattr("ncuanalyze.batch.deaths._NEAR_LIMIT", 300 / 4096)
    assert run_forked(grow_and_die, timeout_s=10, memory_bytes=4096 * MIB).ending is Ending.MEMORY


def test_what_a_child_prints_and_leaves_goes_nowhere(capfd: pytest.CaptureFixture[str]) -> None:
    def noisy() -> Outcome:
        os.write(1, b"out")
        os.write(2, b"err")
        folder = tempfile.mkdtemp()
        (Path(folder) / "left").write_bytes(b"x")
        return Outcome(ending=Ending.DIAGNOSED, message=folder)

    outcome = run_forked(noisy, timeout_s=10, memory_bytes=4096 * MIB)
    assert not Path(outcome.message).exists()
    assert capfd.readouterr() == ("", "")


def test_a_child_is_killed_when_nobody_waits_for_it() -> None:
    reading, writing = os.pipe()
    os.close(writing)  # the far end has gone
    try:
        with pytest.raises(InterruptedError):
            run_forked(sleep, timeout_s=30, memory_bytes=4096 * MIB, alive=reading)
    finally:
        os.close(reading)


ADDRESSES = {"ulimit -v 3000000": 3_072_000_000, "ulimit -S -v 3000000": 3_072_000_000}
LIMITS = {**ADDRESSES, "ulimit -t 100": None, "ulimit -f 100": None, "ulimit -c 0": None}


@pytest.mark.skipif(sys.platform == "darwin", reason="address space cannot be limited there")
@pytest.mark.parametrize("limit", LIMITS)
def test_a_lower_limit_of_the_shell_stands_and_is_not_the_files_fault(limit: str) -> None:
    code = (
        "import resource\n"
        "from ncuanalyze.batch.forked import run_forked\n"
        "from ncuanalyze.batch.outcome import Ending, Outcome\n"
        "def work(): return Outcome(ending=Ending.DIAGNOSED, kernels=resource.getrlimit(resource.RLIMIT_AS)[0])\n"
        "outcome = run_forked(work, timeout_s=120, memory_bytes=4 << 30)\n"
        "print(outcome.ending, outcome.kernels)"
    )
    command = ["bash", "-c", f'{limit} && exec "$0" -c "$1"', sys.executable, code]
    said = subprocess.run(command, check=True, capture_output=True, text=True, timeout=60).stdout.split()
    assert said == ["diagnosed", str(LIMITS[limit] or 4 << 30)]


@pytest.mark.parametrize("memory_bytes", [1 << 62, 1 << 63, 1 << 80])
def test_a_limit_beyond_what_the_system_counts_is_none(memory_bytes: int) -> None:
    assert run_forked(lambda: GOOD, timeout_s=10, memory_bytes=memory_bytes).ending is Ending.DIAGNOSED


def test_limits_that_cannot_be_set_are_not_the_files_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise ValueError("not allowed to raise maximum limit")

    monkeypatch.setattr("ncuanalyze.batch.forked.lower", refuse)
    outcome = run_forked(lambda: GOOD, timeout_s=10, memory_bytes=4096 * MIB)
    assert (outcome.ending, "limits of the reader cannot be set" in outcome.message) == (Ending.UNREACHABLE, True)


def test_no_more_processes_is_not_the_files_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> int:
        raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")

    monkeypatch.setattr(os, "fork", refuse)
    outcome = run_forked(lambda: GOOD, timeout_s=10, memory_bytes=4096 * MIB)
    assert (outcome.ending, "Resource temporarily" in outcome.message) == (Ending.UNREACHABLE, True)


def test_time_that_the_shell_does_not_give_is_a_timeout() -> None:
    def spend() -> Outcome:
        os.kill(os.getpid(), signal.SIGXCPU)
        return GOOD

    assert run_forked(spend, timeout_s=10, memory_bytes=4096 * MIB).ending is Ending.TIMEOUT
