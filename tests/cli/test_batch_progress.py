"""What the bar of a batch says."""

import io

import pytest
from rich.console import Console
from rich.progress import Progress

from ncuanalyze.batch.ledger import Entry
from ncuanalyze.cli.batch_progress import Bar, columns

pytest.importorskip("pyarrow", reason="pyarrow is not installed")


def drawn(*, reports: int, archives: int, ended: list[Entry]) -> str:
    """The last state of the bar, a second a report."""
    seconds = iter(range(1000))
    now = 0.0

    def clock() -> float:
        return now

    console = Console(file=io.StringIO(), width=120)
    with Progress(*columns(), console=console, auto_refresh=False, get_time=clock) as progress:
        bar = Bar(progress)
        bar.expect(reports, archives=archives)
        for entry in ended:
            now = float(next(seconds))
            bar.ended(entry)
    text = console.file
    assert isinstance(text, io.StringIO)
    return " ".join(text.getvalue().split())


def test_files_have_a_total_and_a_time_left() -> None:
    said = drawn(reports=40, archives=0, ended=[Entry(report="a.csv")] * 10)
    assert "10/40 1.0/s 0:00:30 0 not read" in said


def test_members_of_an_archive_have_a_rate_and_no_total() -> None:
    # nothing was said of the time left as soon as there was one archive
    members = [Entry(report=f"a.zip!/{number}.csv", archive="a.zip") for number in range(10)]
    said = drawn(reports=33, archives=1, ended=[*members, Entry(report="b.csv", ending="refused")])
    assert "11 of at least 42 1.0/s at least 0:00:31 1 not read" in said


@pytest.mark.parametrize("archives", [0, 1])
def test_what_nobody_knows_is_left_open(archives: int) -> None:
    members = [Entry(report=f"a.zip!/{number}.csv", archive="a.zip") for number in range(10)]
    first = drawn(reports=33, archives=archives, ended=members[:1])
    assert "-/s -:--:-- 0 not read" in first
    only_members = drawn(reports=1, archives=1, ended=members)
    assert "10 of at least 10 1.0/s -:--:-- 0 not read" in only_members
