"""``ncuanalyze batch`` as a user meets it."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ncuanalyze.batch import local_engine
from ncuanalyze.cli.batch import parse_size
from ncuanalyze.cli.main import group
from ncuanalyze.errors import InvalidInput

pytest.importorskip("pyarrow", reason="pyarrow is not installed")

ODD = Path(__file__).parents[2] / "fixtures" / "odd"


def ncuanalyze(*arguments: str | Path) -> Result:
    return CliRunner().invoke(group, [str(item) for item in arguments])


def test_a_batch_says_what_it_did(tmp_path: Path) -> None:
    reports = [ODD / "raw_units.csv", ODD / "empty.csv"]
    first = ncuanalyze("batch", *reports, "-o", tmp_path / "out", "--jobs", "1")
    assert first.exit_code == 0
    assert first.stdout == ""
    assert "2 reports, 3 kernels, 1 not read (see " in first.stderr
    assert "2 read, 0 unchanged" in first.stderr
    assert "0 read, 2 unchanged" in ncuanalyze("batch", *reports, "-o", tmp_path / "out").stderr
    assert (tmp_path / "out" / "index.html").is_file()


def test_jobs_are_no_more_than_the_cores_bear(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local_engine, "usable_cores", lambda: 2)
    asked: list[int] = []
    made = local_engine.LocalEngine.__init__
    monkeypatch.setattr(
        local_engine.LocalEngine, "__init__", lambda self, jobs, rest: asked.append(jobs) or made(self, jobs, rest)
    )
    said = ncuanalyze("batch", ODD / "raw_units.csv", "-o", tmp_path / "out", "--jobs", "1000").stderr
    assert "--jobs 1000: 8 are started, 4 for each usable core" in said
    assert "are started" not in ncuanalyze("batch", ODD / "raw_units.csv", "-o", tmp_path / "o", "--jobs", "8").stderr
    assert asked == [8, 8]


def test_without_pyarrow_nothing_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    result = ncuanalyze("batch", ODD / "raw_units.csv", "-o", tmp_path / "out")
    assert (result.exit_code, "needs the pyarrow library" in result.stderr) == (1, True)
    assert not (tmp_path / "out").exists()


PLACES = [
    *("reports.jsonl", ".lock", "index.html", "manifest.json", "journal.jsonl"),
    *("kernels/part-00000.parquet", "diagnoses/part-00000.jsonl.gz"),
]


@pytest.mark.parametrize("name", PLACES)
def test_a_folder_in_the_place_of_a_file_is_named_and_stays(tmp_path: Path, name: str) -> None:
    """The error named the half-written file beside it, with a hint on the disk."""
    output = tmp_path / "out"
    ncuanalyze("batch", ODD / "raw_units.csv", "-o", output)
    (output / name).unlink(missing_ok=True)
    (output / name).mkdir()
    (output / name / "photo.jpg").write_text("mine")
    result = ncuanalyze("batch", ODD / "raw_units.csv", "-o", output)
    first, second = result.stderr.splitlines()
    assert result.exit_code == 1
    assert first.startswith("Error: ") and first.endswith(f"{output / name}: Is a directory")
    assert second == "Hint: Something else stands in its place: move it away or remove it, and run again."
    assert (output / name / "photo.jpg").read_text() == "mine"


WRONG = [
    (["none.csv"], "does not exist"),
    ([ODD / "raw_units.csv", "--memory-limit", "much"], "is no size"),
    ([ODD / "raw_units.csv", "--memory-limit", "0"], "no report is read in 0"),
    ([ODD / "raw_units.csv", "--memory-limit", "1MiB"], "no report is read in 1MiB"),
    ([ODD / "raw_units.csv", "--memory-limit", "99999999999t"], "no report is read in"),
    ([ODD / "raw_units.csv", "--memory-limit", "9" * 400], "no size"),
    ([ODD / "raw_units.csv", "--scheduler", "tcp://a:1"], "needs --engine dask"),
    ([ODD / "raw_units.csv", "--thresholds", "none.toml"], "none.toml"),
]


@pytest.mark.parametrize(("arguments", "said"), WRONG, ids=lambda value: str(value)[:20])
def test_what_a_user_gets_wrong(tmp_path: Path, arguments: list[str | Path], said: str) -> None:
    result = ncuanalyze("batch", *arguments, "-o", tmp_path / "out")
    assert result.exit_code == (1 if "none" in said or "exist" in said else 2)
    assert said in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_run_that_is_told_to_end_leaves_no_folder(tmp_path: Path, number: signal.Signals) -> None:
    (tmp_path / "night").mkdir()
    for copy in range(400):
        (tmp_path / "night" / f"{copy}.csv").write_bytes((ODD / "raw_units.csv").read_bytes() + b"\n" * copy)
    scratch = tmp_path / "tmp"
    scratch.mkdir()
    command = [sys.executable, "-m", "ncuanalyze", "batch", "night", "-o", "out", "--jobs", "1"]
    environment = {**os.environ, "TMPDIR": str(scratch)}
    with subprocess.Popen(command, cwd=tmp_path, env=environment, stderr=subprocess.PIPE, text=True) as process:
        deadline = time.monotonic() + 30
        while not (tmp_path / "out" / "cache").exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        process.send_signal(number)
        _, said = process.communicate(timeout=30)
    assert "stopped; the same command goes on from here" in said
    assert process.returncode == 1
    assert not list(scratch.iterdir())


@pytest.mark.parametrize(
    ("text", "size"),
    [("512MiB", 512 << 20), ("2GB", 2 << 30), ("1.5g", 3 << 29), ("4096", 4096), (" 1 KiB ", 1024), ("1TiB", 1 << 40)],
)
def test_sizes(text: str, size: int) -> None:
    assert parse_size(text) == size


@pytest.mark.parametrize("text", ["", "-1", "1 XB", "GiB", "1e9", "nan"])
def test_what_is_no_size(text: str) -> None:
    with pytest.raises(InvalidInput):
        parse_size(text)
