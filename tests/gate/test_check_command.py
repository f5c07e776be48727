"""``ncuanalyze check`` on real reports: propose, pass, fail, advise, and every output."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ncuanalyze.cli.main import group

FIXTURES = Path(__file__).parents[2] / "fixtures"
DEMO = str(FIXTURES / "demo.ncu-rep.xz")


def run(*arguments: str) -> Result:
    result = CliRunner().invoke(group, ["check", *arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


@pytest.fixture
def budget(tmp_path: Path) -> Path:
    file = tmp_path / "budgets.toml"
    assert run(DEMO, "--write", "-o", str(file)).exit_code == 0
    return file


@pytest.mark.parametrize("name", ["demo.ncu-rep.xz", "demo.raw.csv.xz"])
def test_a_proposed_budget_holds_for_its_report_in_every_form(budget: Path, name: str) -> None:
    result = run(str(FIXTURES / name), "--budget", str(budget))
    assert result.exit_code == 0, result.stdout
    assert result.stdout.startswith("Within budget: ")


def test_a_broken_budget_exits_3_and_says_what_was_measured(tmp_path: Path) -> None:
    file = tmp_path / "b.toml"
    file.write_text(
        "[[budget]]\nkernel = 'c04_*'\nassert = ['duration_us < 200', 'bound == \"memory\"', 'no finding above 1.2x']\n"
    )
    result = run(DEMO, "--budget", str(file))
    assert result.exit_code == 3
    assert "Budget broken: 3 of 6 assertions failed" in result.stdout
    assert "failed   duration_us < 200: measured 2,072 us" in result.stdout
    assert "shared_bank_conflicts" in result.stdout
    assert run(DEMO, "--budget", str(file), "--advisory").exit_code == 0
    assert run(DEMO, "--budget", str(file), "-k", "fix$").exit_code == 3


@pytest.mark.parametrize("form", ["text", "markdown", "json", "sarif", "github"])
def test_every_format(tmp_path: Path, form: str) -> None:
    file = tmp_path / "b.toml"
    file.write_text(
        "[[budget]]\nkernel = 'c04_bank'\nassert = 'duration_us < 1'\n[[budget]]\nkernel='x'\nassert='cycles<1'\n"
    )
    result = run(DEMO, "--budget", str(file), "--format", form)
    assert result.exit_code == 3
    assert "duration_us < 1" in result.stdout
    assert "no kernel is called x" in result.stdout or form == "json"
    if form == "json":
        document = json.loads(result.stdout)
        assert (document["schema"], document["passed"], document["unmatched"]) == ("ncuanalyze.check/1", False, ["x"])
    if form == "github":
        assert "::error file=" in result.stdout
    if form == "markdown":
        assert len(result.stdout.splitlines()) < 60


def test_a_saved_diagnosis_is_checked(tmp_path: Path, budget: Path) -> None:
    saved = tmp_path / "demo.json"
    assert CliRunner().invoke(group, [DEMO, "--format", "json", "-o", str(saved)]).exit_code == 0
    budget.write_text("[[budget]]\nkernel='c04_bank_fix'\nassert='duration_us < 123'\n")
    assert run(str(saved), "--budget", str(budget)).exit_code == 0


def test_a_folder_is_one_report(tmp_path: Path) -> None:
    (tmp_path / "b.toml").write_text("[[budget]]\nkernel='c14_chain*'\nassert='duration_us < 200'\n")
    result = run(str(FIXTURES / "triples"), "--budget", str(tmp_path / "b.toml"))
    assert result.exit_code == 0, result.stdout
    assert "2 assertions hold" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        ((), 2, "REPORT"),
        ((DEMO,), 2, "--budget"),
        ((DEMO, "--budget", "nowhere.toml"), 1, "Hint:"),
        (("nowhere.ncu-rep", "--write"), 1, "Hint:"),
        ((DEMO, "--write", "--budget", "b.toml"), 2, "--write"),
    ],
)
def test_wrong_command_lines(arguments: tuple[str, ...], code: int, says: str) -> None:
    result = run(*arguments)
    assert (result.exit_code, says in result.output) == (code, True), result.output


def test_names_are_listed_without_a_report() -> None:
    result = run("--names")
    assert result.exit_code == 0
    assert {"duration_us", "tensor_utilization_pct", "local_memory_spilling"} <= set(result.stdout.split())


def test_an_unknown_name_names_the_nearest(tmp_path: Path) -> None:
    (tmp_path / "b.toml").write_text("[[budget]]\nassert='no finding shared_bank_conflict'\n")
    result = run(DEMO, "--budget", str(tmp_path / "b.toml"))
    assert (result.exit_code, "shared_bank_conflicts" in result.output) == (1, True)
