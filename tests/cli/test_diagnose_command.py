"""The main command: formats, filters, files, gates, and errors in one line."""

import importlib
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ncuanalyze.cli.main import group

FIXTURES = Path(__file__).parents[2] / "fixtures"
DEMO = str(FIXTURES / "demo.ncu-rep.xz")
RAW = str(FIXTURES / "demo.raw.csv.xz")


def run(*arguments: str, stdin: bytes | None = None) -> Result:
    return CliRunner().invoke(group, list(arguments), input=stdin, prog_name="ncuanalyze")


def kernels(result: Result) -> list[dict[str, object]]:
    found = json.loads(result.stdout)["kernels"]
    assert isinstance(found, list)
    return found


@pytest.mark.parametrize("arguments", [(DEMO,), ("diagnose", DEMO), ("--no-color", DEMO)])
def test_the_command_word_may_be_left_out(arguments: tuple[str, ...]) -> None:
    result = run(*arguments)
    assert result.exit_code == 0
    assert "Shared-memory bank conflicts" in result.stdout


@pytest.mark.parametrize(
    ("form", "first"),
    [("json", "{"), ("csv", "id,name"), ("html", "<!doctype html>"), ("markdown", "#"), ("sarif", "{")],
)
def test_formats(form: str, first: str) -> None:
    assert run(DEMO, "-f", form).stdout.lstrip().startswith(first)


def test_report_and_raw_csv_tell_the_same() -> None:
    report, export = (kernels(run(path, "-f", "json")) for path in (DEMO, RAW))
    for left, right in zip(report, export, strict=True):
        assert [left[k] for k in ("bound", "limiter", "at_roofline")] == [
            right[k] for k in ("bound", "limiter", "at_roofline")
        ]


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        (("-k", "fix"), ["c04_bank_fix"]),
        (("-k", "^c04_bank$"), ["c04_bank"]),
        (("--launch", "1"), ["c04_bank_fix"]),
        (("--top", "1"), ["c04_bank"]),
    ],
)
def test_filters(arguments: tuple[str, ...], names: list[str]) -> None:
    found = kernels(run(DEMO, "-f", "json", *arguments))
    assert [item["kernel"]["name"] for item in found] == names  # type: ignore[index]


def test_colour_only_when_asked_or_on_a_terminal() -> None:
    assert "\x1b[" not in run(DEMO).stdout
    assert "\x1b[" in run(DEMO, "--color").stdout


def test_lines_fit_80_columns() -> None:
    assert max(map(len, run(DEMO).stdout.splitlines())) <= 80


def test_writes_a_file_once_and_again_only_with_force(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    assert run(DEMO, "-f", "html", "-o", str(page)).exit_code == 0
    refused = run(DEMO, "-f", "html", "-o", str(page))
    assert (refused.exit_code, "--force" in refused.output) == (1, True)
    assert run(DEMO, "-f", "html", "-o", str(page), "--force").exit_code == 0


def test_a_saved_diagnosis_is_drawn_again(tmp_path: Path) -> None:
    saved = tmp_path / "diagnosis.json"
    saved.write_text(run(DEMO, "-f", "json").stdout, encoding="utf-8")
    assert run(str(saved)).stdout == run(DEMO).stdout


@pytest.mark.parametrize("pack", [None, "xz", "gzip"])
def test_a_saved_diagnosis_is_told_by_what_it_holds(tmp_path: Path, pack: str | None) -> None:
    saved = run(DEMO, "-f", "json").stdout.encode()
    file = tmp_path / "diagnosis.txt"
    file.write_bytes(importlib.import_module({"xz": "lzma"}.get(pack, pack)).compress(saved) if pack else saved)
    assert run(str(file)).stdout == run(DEMO).stdout == run("-", stdin=file.read_bytes()).stdout


@pytest.mark.parametrize("option", [("--kernel", "fix"), ("--launch", "1")])
def test_filters_hold_for_a_saved_diagnosis(tmp_path: Path, option: tuple[str, str]) -> None:
    file = tmp_path / "diagnosis.json"
    assert run(DEMO, "-f", "json", "-o", str(file)).exit_code == 0
    assert run(str(file), *option).stdout == run(DEMO, *option).stdout
    assert "no kernel matches" in run(str(file), "--kernel", "zzz").stderr


@pytest.mark.parametrize("option", ["--thresholds", "--rules", "--ceilings", "--source-root"])
def test_a_saved_diagnosis_is_not_judged_again(tmp_path: Path, option: str) -> None:
    file = tmp_path / "diagnosis.json"
    assert run(DEMO, "-f", "json", "-o", str(file)).exit_code == 0
    result = run(str(file), option, str(tmp_path))
    assert (result.exit_code, f"{option} needs the report itself" in result.stderr) == (1, True)


@pytest.mark.parametrize(
    "arguments",
    [
        ("{}", "-o", "{}", "--force"),
        ("compare", RAW, "{}", "-o", "{}", "--overwrite"),
        ("compare", RAW, "{}", "--save", "markdown={}", "--overwrite"),
        ("compare", RAW, "{folder}", "-o", "{}", "--overwrite"),
        ("check", "{}", "--write", "-o", "{}", "--overwrite"),
        ("metrics", "{}", "-o", "{}", "--force"),
        ("metrics", "{}", "-f", "parquet", "-o", "{}", "--force"),
        ("occupancy", "{}", "-o", "{}", "--force"),
    ],
    ids=lambda arguments: " ".join(word for word in arguments if "{" not in word and "/" not in word),
)
def test_the_report_itself_is_never_overwritten(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    report = tmp_path / "demo.csv.xz"
    report.write_bytes(Path(RAW).read_bytes())
    result = run(*(word.format(report, folder=tmp_path) for word in arguments))
    assert (result.exit_code, report.read_bytes()) == (1, Path(RAW).read_bytes())
    assert "is the report itself" in result.stderr


def test_several_reports_become_one_diagnosis() -> None:
    found = kernels(run(DEMO, RAW, "-f", "json"))
    assert [item["kernel"]["id"] for item in found] == [  # type: ignore[index]
        "demo.ncu-rep.xz:0",
        "demo.ncu-rep.xz:1",
        "demo.raw.csv.xz:0",
        "demo.raw.csv.xz:1",
    ]
    assert sum(item["time_share_pct"] for item in found) == pytest.approx(100)  # type: ignore[misc]


@pytest.mark.parametrize(("level", "code"), [("none", 0), ("info", 3), ("warning", 3), ("error", 3)])
def test_gate(level: str, code: int) -> None:
    assert run(DEMO, "--fail-on", level).exit_code == code


def test_gate_passes_a_kernel_at_its_roof() -> None:
    assert run(DEMO, "-k", "fix", "--fail-on", "warning").exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("missing.ncu-rep",), "missing.ncu-rep"),
        ((DEMO, "-k", "nothing_like_it"), "no kernel matches"),
        ((DEMO, "--rules", "no_such_folder"), "not a folder of rules"),
        ((DEMO, "--thresholds", "no_such_file.toml"), "cannot read"),
        ((str(FIXTURES / "odd/empty.csv"),), "empty"),
    ],
)
def test_errors_are_one_line_with_a_hint(arguments: tuple[str, ...], said: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 1
    assert said in result.output
    assert "Hint:" in result.output
    assert "Traceback" not in result.output


def test_an_own_threshold_is_named_in_the_report(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text("[shared_bank_conflicts]\nwavefronts_per_ideal = 40\n", encoding="utf-8")
    result = run(DEMO, "-k", "^c04_bank$", "--thresholds", str(own))
    assert "shared_bank_conflicts.wavefronts_per_ideal is set to 40" in result.stdout
    assert "Shared-memory bank conflicts" not in result.stdout


def test_a_broken_rule_costs_one_finding(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "from ncuanalyze.rule import Rule\n"
        "def check(kernel, limits):\n    raise ValueError('oops')\n"
        "RULE = Rule(id='mine', title='Mine', check=check)\n",
        encoding="utf-8",
    )
    found = kernels(run(DEMO, "--rules", str(tmp_path), "-f", "json"))[0]["findings"]
    assert [(f["id"], f["kind"]) for f in found] == [  # type: ignore[attr-defined]
        ("shared_bank_conflicts", "cause"),
        ("mine", "error"),
    ]


def test_help_and_version() -> None:
    assert "Commands:" in run("--help").stdout
    assert run("--version").stdout.startswith("ncuanalyze, version ")


def test_a_full_disk_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device", "out")

    monkeypatch.setattr("ncuanalyze.cli.diagnose.write_output", full)
    result = run(DEMO)
    assert (result.exit_code, "No space left on device" in result.output) == (1, True)


@pytest.mark.parametrize(("workload", "code"), [("x", 2), ("c04=gemm m=1", 2), ("no_such_file.toml", 1)])
def test_a_workload_is_a_usage_error_where_the_words_are_wrong(workload: str, code: int) -> None:
    result = run(DEMO, "--workload", workload)
    assert result.exit_code == code
    assert "Hint:" in result.stderr
