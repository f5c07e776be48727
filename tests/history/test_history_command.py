"""``ncuanalyze history`` from the command line, and its page."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from compare_documents import diagnosis, launches

from ncuanalyze.cli.main import group
from ncuanalyze.history import Run, add_run, timestamp

DEMO = str(Path(__file__).parents[2] / "fixtures" / "demo.ncu-rep.xz")
HOSTILE = 'k<"&><script>alert(1)</script>\u202e'


def run(*arguments: str, **environment: str) -> Result:
    result = CliRunner().invoke(group, ["history", *arguments], env=environment)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


@pytest.fixture
def database(tmp_path: Path) -> Path:
    file = tmp_path / "h.sqlite"
    for day in range(1, 13):
        found = diagnosis(*launches([100 if day < 8 else 120]), *launches([50], HOSTILE))
        add_run(file, Run(commit=f"c{day:02}<b>", branch="main", at=timestamp(f"2026-01-{day:02}"), diagnosis=found))
    return file


def test_add_takes_commit_and_branch_from_ci(tmp_path: Path) -> None:
    file = str(tmp_path / "h.sqlite")
    added = run("add", file, DEMO, GITHUB_SHA="abc123", GITHUB_REF_NAME="main")
    assert (added.exit_code, "added demo.ncu-rep.xz, 2 kernels, abc123" in added.output) == (0, True)
    again = run("add", file, DEMO, CI_COMMIT_SHA="abc123", CI_COMMIT_BRANCH="main")
    assert "already there" in again.output
    shown = run("show", file).stdout
    assert ("abc123" in shown, "NVIDIA H200" in shown) == (True, True)
    assert "c04_bank_fix" in run("show", file, "-k", "fix").stdout


def test_add_needs_a_commit(tmp_path: Path) -> None:
    assert run("add", str(tmp_path / "h.sqlite"), DEMO, GITHUB_SHA="", CI_COMMIT_SHA="").exit_code == 2


def test_the_trend_names_the_commit(database: Path) -> None:
    text = run("trend", str(database), "--branch", "main").stdout
    assert "12 runs of main, 2 kernels" in text
    assert "+20% since c08<b> (2026-01-08)" in text
    found = json.loads(run("trend", str(database), "-f", "json", "-k", "gemm").stdout)
    assert [change["commit"] for change in found["series"][0]["changes"]] == ["c08<b>"]
    assert run("trend", str(database), "--threshold", "25").stdout.count("since") == 0


def test_the_page_is_self_contained_and_escaped(database: Path, tmp_path: Path) -> None:
    page = tmp_path / "trend.html"
    assert run("trend", str(database), "-f", "html", "-o", str(page)).exit_code == 0
    text = page.read_text(encoding="utf-8")
    assert "<script>alert" not in text
    assert "\u202e" not in text
    assert "c08<b>" not in text
    assert text.count("<svg") == 2
    assert "http" not in text.replace("http-equiv", "").replace("http://www.w3.org/2000/svg", "")
    assert run("trend", str(database), "-f", "html", "-o", str(page)).exit_code == 1
    assert run("trend", str(database), "-f", "html", "-o", str(page), "--overwrite").exit_code == 0


@pytest.mark.parametrize(
    "arguments", [("trend", "nowhere"), ("show", "nowhere"), ("trend", DEMO), ("show", DEMO, "-k", "[")]
)
def test_wrong_files_are_one_error(arguments: tuple[str, ...]) -> None:
    result = run(*arguments)
    assert (result.exit_code, "Hint:" in result.output) == (1, True)


def test_an_empty_choice_is_an_error(database: Path) -> None:
    assert run("trend", str(database), "-k", "nobody").exit_code == 1


def test_a_time_that_is_none_is_a_usage_error(tmp_path: Path) -> None:
    result = run("add", str(tmp_path / "h.sqlite"), DEMO, "--commit", "1", "--at", "yesterday")
    assert (result.exit_code, "'yesterday' is no time" in result.output) == (2, True)
