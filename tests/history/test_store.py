"""The history file: runs go in once, come back whole and in order, and other files are refused."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from compare_documents import diagnosis, finding, kernel, launches

from ncuanalyze.compare import Verdict, compare
from ncuanalyze.errors import InvalidInput, NcuAnalyzeError, UnreadableReport
from ncuanalyze.history import Run, add_run, kernel_rows, recent_runs, run_rows, timestamp


def run(commit: str, at: str, *times_us: float, branch: str = "main") -> Run:
    found = diagnosis(*launches(times_us, findings=(finding("a", 1.5, line=3),)))
    return Run(commit=commit, branch=branch, at=timestamp(at), diagnosis=found)


def test_a_run_comes_back_whole(tmp_path: Path) -> None:
    file = tmp_path / "h.sqlite"
    added = run("c1", "2026-01-01", 100, 101)
    assert add_run(file, added)
    assert recent_runs(file) == [added]


def test_the_same_run_is_added_once(tmp_path: Path) -> None:
    file = tmp_path / "h.sqlite"
    assert add_run(file, run("c1", "2026-01-01", 100))
    assert not add_run(file, run("c1", "2026-01-02", 100))
    assert add_run(file, run("c1", "2026-01-02", 101))
    assert [row.kernels for row in run_rows(file)] == [1, 1]


def test_the_last_runs_of_a_branch_oldest_first(tmp_path: Path) -> None:
    file = tmp_path / "h.sqlite"
    for day in (3, 1, 2):
        add_run(file, run(f"c{day}", f"2026-01-0{day}", 100 + day))
    add_run(file, run("x", "2026-01-09", 500, branch="feature"))
    assert [item.commit for item in recent_runs(file, branch="main", last=2)] == ["c2", "c3"]
    assert [item.commit for item in recent_runs(file, last=2)] == ["c3", "x"]
    assert recent_runs(file, branch="nobody") == []


def test_kernels_are_rows_with_their_median(tmp_path: Path) -> None:
    file = tmp_path / "h.sqlite"
    add_run(file, run("c1", "2026-01-01", 100, 300, 101))
    add_run(
        file,
        Run(
            commit="c2",
            branch="main",
            at=timestamp("2026-01-02"),
            diagnosis=diagnosis(kernel(duration_ns=None)),
        ),
    )
    rows = kernel_rows(file)
    assert [(row.commit, row.launches, row.duration_ns, row.total_ns) for row in rows] == [
        ("c1", 3, 101_000, 501_000),
        ("c2", 1, None, None),
    ]


def test_a_new_report_is_compared_with_the_median_of_the_last_runs(tmp_path: Path) -> None:
    file = tmp_path / "h.sqlite"
    for day, time in enumerate((100, 101, 99.5, 100.5, 130, 100.2), start=1):
        add_run(file, run(f"c{day}", f"2026-01-0{day}", time))
    base = [item.diagnosis for item in recent_runs(file, branch="main", last=6)]
    only = compare(base, [diagnosis(*launches([150]))]).kernels[0]
    assert only.base.spread is not None
    assert (only.base.spread.samples, only.base.spread.median_ns) == (6, 100_350)
    assert only.verdict is Verdict.SLOWER
    assert compare(base, [diagnosis(*launches([100.9]))]).kernels[0].verdict is Verdict.SAME


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("2026-01-31T12:00:00+02:00", "2026-01-31T10:00:00+00:00"),
        ("2026-01-31", "2026-01-31T00:00:00+00:00"),
        ("2026-01-31T12:00:00Z", "2026-01-31T12:00:00+00:00"),
    ],
)
def test_times_are_utc(text: str, time: str) -> None:
    assert timestamp(text) == time


def test_no_time_is_an_error() -> None:
    with pytest.raises(InvalidInput):
        timestamp("yesterday")


def _other_database(file: Path) -> None:
    with sqlite3.connect(file) as database:
        database.execute("CREATE TABLE t (x)")


def _newer(file: Path) -> None:
    add_run(file, run("c1", "2026-01-01", 100))
    with sqlite3.connect(file) as database:
        database.execute("PRAGMA user_version = 99")


def _damaged(file: Path) -> None:
    add_run(file, run("c1", "2026-01-01", 100))
    with sqlite3.connect(file) as database:
        database.execute("UPDATE runs SET document = x'00'")


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda file: None, "no history"),
        (lambda file: file.write_bytes(b"SQLite format 3\0 and then nothing"), "cannot read"),
        (lambda file: file.write_text("text"), "cannot read"),
        (_other_database, "no history of ncuanalyze"),
        (_newer, "version 99"),
        (_damaged, "damaged"),
    ],
)
def test_other_files_are_refused(tmp_path: Path, make, says: str) -> None:  # type: ignore[no-untyped-def]
    file = tmp_path / "h.sqlite"
    make(file)
    with pytest.raises(UnreadableReport) as error:
        recent_runs(file)
    assert says in str(error.value)
    assert error.value.hint


def test_a_foreign_database_is_not_written_to(tmp_path: Path) -> None:
    file = tmp_path / "other.sqlite"
    _other_database(file)
    before = file.read_bytes()
    with pytest.raises(NcuAnalyzeError):
        add_run(file, run("c1", "2026-01-01", 100))
    assert file.read_bytes() == before


def test_a_folder_that_is_missing_is_one_error(tmp_path: Path) -> None:
    with pytest.raises(UnreadableReport, match="cannot write"):
        add_run(tmp_path / "no" / "h.sqlite", run("c1", "2026-01-01", 100))
