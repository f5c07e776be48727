"""A child may crash, hang, eat memory, talk or write files: its parent gets an outcome and goes on."""

import os
import signal
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


def killed_by_the_system() -> Outcome:
    os.kill(os.getpid(), signal.SIGKILL)
    return GOOD


def raise_quietly() -> Outcome:
    raise SystemExit(3)


ENDINGS = [
    (segfault, Ending.CRASHED, "SIGSEGV"),
    (abort, Ending.CRASHED, "SIGABRT"),
    (leave, Ending.CRASHED, "exit 7"),
    (raise_quietly, Ending.CRASHED, "exit 0"),
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

    monkeypatch.setattr("ncuanalyze.batch.forked._NEAR_LIMIT", 300 / 4096)
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
