"""Words and paths that are no UTF-8: a file's name may be so; what a database or a column holds may not."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ncuanalyze.cli.main import group

FIXTURES = Path(__file__).parents[2] / "fixtures"
DEMO = str(FIXTURES / "demo.ncu-rep.xz")
ODD = os.fsdecode(b"\xff")
USAGE = 2


def run(folder: Path, words: str) -> Result:
    given = {"DB": folder / "h.sqlite", "ODD_DB": folder / f"h{ODD}.sqlite", "OUT": folder / f"o{ODD}", "REPORT": DEMO}
    return CliRunner().invoke(group, [str(given.get(word, word.replace("\\xff", ODD))) for word in words.split(" ")])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    assert run(tmp_path, "history add DB REPORT --commit 1").exit_code == 0
    return tmp_path


@pytest.mark.parametrize(
    ("words", "option"),
    [
        ("history add DB REPORT --commit \\xff", "--commit"),
        ("history add DB REPORT --commit 2 --branch \\xff", "--branch"),
        ("history show DB --branch \\xff", "--branch"),
        ("history trend DB --branch \\xff", "--branch"),
        ("compare DB REPORT --branch \\xff", "--branch"),
        (f"batch {FIXTURES}/odd/crlf.csv -o OUT", "--output"),
    ],
)
def test_bytes_that_cannot_be_kept_are_one_error(words: str, option: str, folder: Path) -> None:
    result = run(folder, words)
    assert result.exit_code == USAGE, result.output
    assert option in result.stderr
    assert "bytes that are no UTF-8" in result.stderr
    assert not (folder / f"o{ODD}").exists()


@pytest.mark.parametrize(
    "words",
    [
        "history add ODD_DB REPORT --commit 1|history show ODD_DB|compare ODD_DB REPORT",
        "metrics REPORT -f parquet -o OUT",
        "metrics REPORT -f csv -o OUT",
        "diagnose REPORT -f json -o OUT|diagnose OUT|compare OUT REPORT",
    ],
)
def test_paths_of_any_bytes_work(words: str, folder: Path) -> None:
    for step in words.split("|"):
        result = run(folder, step)
        assert result.exit_code == 0, (result.output, result.exception)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("history add DB REPORT --commit ", "it is empty"),
        (f"history add DB REPORT --commit {'a' * 256}", "256 characters are no name"),
        (f"history add DB REPORT --commit 2 --branch {'a' * 70_000}", "70,000 characters are no name"),
        ("history show DB --branch ", "it is empty"),
    ],
)
def test_a_commit_and_a_branch_have_a_name(words: str, says: str, folder: Path) -> None:
    result = run(folder, words)
    assert result.exit_code == USAGE
    assert says in result.stderr
    assert len(result.stderr) < 1000


def test_the_longest_name_is_kept(folder: Path) -> None:
    assert run(folder, f"history add DB REPORT --commit {'a' * 255}").exit_code == 0
