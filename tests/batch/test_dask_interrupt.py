"""Ctrl-C while a Dask cluster starts, and while it reads: one line, and no process or file is left."""

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from batch.in_process import ODD

pytest.importorskip("distributed", reason="dask is not installed")
pytest.importorskip("pyarrow", reason="pyarrow is not installed")
pytestmark = pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="looks for processes in /proc")

REPORTS = 2_000
COMMAND = "from ncuanalyze.cli.main import main; main()"


def processes_of(folder: Path) -> list[str]:
    """The command lines of processes that were started with ``folder`` in their environment."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if os.fsencode(folder) in (process / "environ").read_bytes():
                found.append((process / "cmdline").read_text())
        except OSError:
            continue
    return found


@pytest.mark.parametrize("when", ["starting", "reading"])
def test_one_line_and_nothing_is_left(tmp_path: Path, when: str) -> None:
    night, scratch, output = (tmp_path / name for name in ("night", "scratch", "out"))
    night.mkdir()
    scratch.mkdir()
    for copy in range(REPORTS):
        (night / f"{copy}.csv").write_bytes((ODD / "raw_units.csv").read_bytes() + b"\n" * copy)
    batch = subprocess.Popen(
        [sys.executable, "-c", COMMAND, "batch", str(night), "-o", str(output), "--engine", "dask", "-j", "2"],
        stderr=subprocess.PIPE,
        start_new_session=True,
        env={**os.environ, "TMPDIR": str(scratch)},
        text=True,
    )
    journal = output / "journal.jsonl"
    while not (
        any(scratch.glob("ncuanalyze-dask-*")) if when == "starting" else journal.is_file() and journal.stat().st_size
    ):
        time.sleep(0.05)
    time.sleep(0.5)
    os.killpg(batch.pid, signal.SIGINT)
    _, said = batch.communicate(timeout=30)
    assert batch.returncode == 1
    assert [line for line in said.splitlines() if line] == ["stopped; the same command goes on from here", "Aborted!"]
    deadline = time.monotonic() + 10
    while (left := processes_of(scratch)) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert left == []
    assert list(scratch.iterdir()) == []


@pytest.mark.parametrize("address", ["foo", "tcp://127.0.0.1"])
def test_a_scheduler_that_cannot_be_reached_costs_no_minute(tmp_path: Path, address: str) -> None:
    # the client that had not connected waited for a minute as it was deleted, and left a traceback
    report, output = str(ODD / "raw_units.csv"), str(tmp_path / "out")
    asked = subprocess.run(
        [sys.executable, "-c", COMMAND, "batch", report, "-o", output, "--engine", "dask", "--scheduler", address],
        stderr=subprocess.PIPE,
        timeout=50,
        text=True,
        check=False,
    )
    said = asked.stderr.splitlines()
    assert (asked.returncode, len(said)) == (1, 2)
    assert said[0].startswith(f"Error: cannot reach the scheduler at {address}: missing port number")
    assert said[1].startswith("Hint: Give its address as tcp://HOST:PORT")


def test_an_interrupt_while_nothing_answers(tmp_path: Path) -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        address = f"tcp://127.0.0.1:{silent.getsockname()[1]}"
        report, output = str(ODD / "raw_units.csv"), str(tmp_path / "out")
        batch = subprocess.Popen(
            [sys.executable, "-c", COMMAND, "batch", report, "-o", output, "--engine", "dask", "--scheduler", address],
            stderr=subprocess.PIPE,
            text=True,
        )
        silent.accept()
        batch.send_signal(signal.SIGINT)
        _, said = batch.communicate(timeout=30)
    assert batch.returncode == 1
    assert [line for line in said.splitlines() if line] == ["stopped; the same command goes on from here", "Aborted!"]
