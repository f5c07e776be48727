"""``ncuanalyze compare`` on real reports: pairs, forms of one run, folders, histories, formats, exit codes."""

from __future__ import annotations

import json
import lzma
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from ncuanalyze.cli.main import group

FIXTURES = Path(__file__).parents[2] / "fixtures"
DEMO = str(FIXTURES / "demo.ncu-rep.xz")
PAIR = ("--pair", "c04_bank=c04_bank_fix")
TRIPLES = FIXTURES / "triples"


def run(*arguments: str) -> Result:
    result = CliRunner().invoke(group, ["compare", *arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def compared(*arguments: str) -> Any:
    result = run(*arguments, "--format", "json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_a_fix_is_faster_and_its_reason_is_named() -> None:
    found = compared(DEMO, *PAIR)
    (kernel,) = found["kernels"]
    assert (kernel["verdict"], round(kernel["speedup"], 1)) == ("faster", 17.0)
    assert kernel["why"]["sentence"].startswith("less work: shared memory had 0.031x the work")
    assert kernel["why"]["main"] == kernel["base"]["diagnosis"]["limiter"] == "shared"
    fates = {item["id"]: item["fate"] for item in kernel["why"]["findings"]}
    assert fates["shared_bank_conflicts"] == "gone"
    assert kernel["why"]["promise"]["id"] == "shared_bank_conflicts"


def test_two_filters_are_a_pair() -> None:
    found = compared(DEMO, "--base-kernel", "^c04_bank$", "--new-kernel", "fix$")
    assert [kernel["verdict"] for kernel in found["kernels"]] == ["faster"]


@pytest.mark.parametrize("name", ["c14.ncu-rep.xz", "c14.raw.csv.xz"])
def test_every_form_of_a_run_gives_the_same_verdict(name: str) -> None:
    found = compared(str(TRIPLES / name), "--pair", "c14_chain=c14_chain_fix")
    (kernel,) = found["kernels"]
    assert (kernel["verdict"], round(kernel["speedup"], 2)) == ("faster", 3.49)
    assert kernel["base"]["diagnosis"]["bound"] == "latency"


def test_a_report_against_its_own_export_is_the_same() -> None:
    found = compared(str(TRIPLES / "c26.ncu-rep.xz"), str(TRIPLES / "c26.raw.csv.xz"))
    assert [kernel["verdict"] for kernel in found["kernels"]] == ["same"]
    assert found["total"]["change_pct"] == pytest.approx(0, abs=1e-3)


def test_the_same_kernel_in_another_run_is_the_same() -> None:
    found = compared(str(TRIPLES / "c26.ncu-rep.xz"), str(FIXTURES / "variants" / "basic.ncu-rep.xz"))
    (kernel,) = found["kernels"]
    assert (kernel["verdict"], kernel["name"]) == ("same", "c26_copy")
    assert 0 < abs(kernel["change_pct"]) < 2
    assert "sections" in {item["what"] for item in found["differences"]}


def test_a_folder_counts_a_run_once_whatever_forms_it_has(tmp_path: Path) -> None:
    for name in ("c26.ncu-rep.xz", "c26.raw.csv.xz", "c26.details.csv.xz"):
        shutil.copy(TRIPLES / name, tmp_path / name)
    (tmp_path / "notes.txt").write_text("not a report")
    found = compared(str(tmp_path), str(TRIPLES / "c26.ncu-rep.xz"))
    assert (found["base"]["launches"], found["base"]["sources"][0]["format"]) == (1, "ncu-rep")


def test_several_reports_of_a_folder_make_a_distribution(tmp_path: Path) -> None:
    shutil.copy(TRIPLES / "c26.ncu-rep.xz", tmp_path / "a.ncu-rep.xz")
    shutil.copy(FIXTURES / "variants" / "basic.ncu-rep.xz", tmp_path / "b.ncu-rep.xz")
    spread = compared(str(tmp_path), str(tmp_path))["kernels"][0]["base"]["spread"]
    assert (spread["samples"], spread["runs"], spread["interval"]) == (2, 2, "range of all samples")


def test_saved_diagnoses_compare_like_the_reports(tmp_path: Path) -> None:
    saved = tmp_path / "demo.json"
    assert CliRunner().invoke(group, [DEMO, "--format", "json", "-o", str(saved)]).exit_code == 0
    assert compared(str(saved), *PAIR)["kernels"][0]["speedup"] == compared(DEMO, *PAIR)["kernels"][0]["speedup"]


def test_a_saved_comparison_is_shown_again(tmp_path: Path) -> None:
    saved = tmp_path / "c.json"
    assert run(DEMO, *PAIR, "-f", "json", "-o", str(saved)).exit_code == 0
    assert run(str(saved)).stdout == run(DEMO, *PAIR).stdout
    assert run(str(saved), "-f", "html").stdout == run(DEMO, *PAIR, "-f", "html").stdout


def test_a_folder_of_saved_diagnoses_is_a_side(tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text("{}")
    for name in ("a", "b"):
        arguments = [DEMO, "--format", "json", "-o", str(tmp_path / f"{name}.json")]
        assert CliRunner().invoke(group, arguments).exit_code == 0
    assert compared(str(tmp_path), DEMO)["base"]["launches"] == 4


def test_a_history_is_a_base(tmp_path: Path) -> None:
    database = str(tmp_path / "h.sqlite")
    for day, name in ((1, "triples/c26.ncu-rep.xz"), (2, "variants/basic.ncu-rep.xz")):
        arguments = ["history", "add", database, str(FIXTURES / name), "--commit", f"c{day}", "--branch", "main"]
        added = CliRunner().invoke(group, [*arguments, "--at", f"2026-01-0{day}"])
        assert added.exit_code == 0, added.output
    found = compared(database, str(TRIPLES / "c26.ncu-rep.xz"), "--branch", "main", "--last", "5")
    assert found["kernels"][0]["base"]["spread"]["runs"] == 2
    nobody = run(database, DEMO, "--branch", "nobody")
    assert nobody.exit_code == 1
    assert "holds no run of branch 'nobody'" in nobody.output


@pytest.mark.parametrize("form", ["text", "html", "markdown", "json", "sarif", "github"])
def test_every_format_is_written_and_the_same_twice(form: str) -> None:
    first, second = run(DEMO, *PAIR, "-f", form), run(DEMO, *PAIR, "-f", form)
    assert first.exit_code == 0
    assert first.stdout == second.stdout
    assert "c04_bank_fix" in first.stdout or form in ("github", "sarif")


def test_one_run_saves_several_formats(tmp_path: Path) -> None:
    page, text = tmp_path / "c.html", tmp_path / "c.md"
    saves = ("--save", f"html={page}", "--save", f"markdown={text}")
    assert run(DEMO, *PAIR, *saves).exit_code == 0
    assert page.read_text().startswith("<!doctype html>")
    assert text.read_text().startswith("<!-- ncuanalyze: comparison -->")
    again = run(DEMO, *PAIR, *saves)
    assert (again.exit_code, "--overwrite" in again.output) == (1, True)
    assert run(DEMO, *PAIR, *saves, "--overwrite").exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ((DEMO, *PAIR, "--fail-on", "slower"), 0),
        ((DEMO, "--pair", "c04_bank_fix=c04_bank", "--fail-on", "slower"), 3),
        ((DEMO, "--pair", "c04_bank_fix=c04_bank", "--fail-on", "never"), 0),
        ((DEMO,), 2),
        ((DEMO, "--base-kernel", "x"), 2),
        ((DEMO, "--pair", "x"), 2),
        ((DEMO, "--pair", "x=y"), 1),
        ((DEMO, "nowhere.ncu-rep"), 1),
        ((DEMO, DEMO, "-k", "nobody"), 1),
        ((DEMO, DEMO, "-k", "["), 2),
        ((DEMO, DEMO, "--threshold", "-3"), 2),
        ((DEMO, DEMO, "--save", "pdf=x"), 2),
        ((DEMO, DEMO, "--source-root", "/no/such/folder"), 1),
    ],
)
def test_exit_codes(arguments: tuple[str, ...], code: int) -> None:
    result = run(*arguments)
    assert result.exit_code == code, result.output
    if code == 1:
        assert "Hint:" in result.output


def test_source_files_are_named_from_the_repository(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "planted.cu").write_text("")
    arguments = ("--pair", "c04_bank_fix=c04_bank", "-f", "github")
    assert "file=/" in run(DEMO, *arguments).stdout
    (tmp_path / "planted.cu").write_text("")
    assert "file=planted.cu,line=" in run(DEMO, *arguments, "--source-root", str(tmp_path)).stdout


def test_a_damaged_side_is_one_error_and_no_output(tmp_path: Path) -> None:
    cut = tmp_path / "cut.ncu-rep"
    cut.write_bytes(lzma.decompress(Path(DEMO).read_bytes())[:5000])
    result = run(DEMO, str(cut))
    assert result.exit_code == 1
    assert result.stdout == ""


def test_a_saved_comparison_is_no_side_of_another(tmp_path: Path) -> None:
    """The hint spoke of exporting from ncu."""
    saved = tmp_path / "c.json"
    assert run(DEMO, *PAIR, "-f", "json", "-o", str(saved)).exit_code == 0
    for sides in ((str(saved), DEMO), (DEMO, str(saved))):
        result = run(*sides)
        assert result.exit_code == 1
        assert "is a comparison saved by ncuanalyze" in result.stderr
        assert "Give the reports that were compared" in result.stderr
