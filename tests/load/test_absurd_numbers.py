"""Numbers that no GPU gives: each is missing or capped, and nothing that is computed from it fails."""

import pytest
from click.testing import CliRunner

from load.paths import ODD
from ncuanalyze.cli.main import group
from ncuanalyze.load import load
from ncuanalyze.load.device import device_of
from ncuanalyze.load.identity import dim3
from ncuanalyze.load.ncu_rep import _dim3
from ncuanalyze.load.session import settings_of_command
from ncuanalyze.profile import MetricTable

DIGITS = "9" * 5000
SUMMARY = (ODD / "print_summary.csv").read_text()
RAW = (ODD / "raw_units.csv").read_text()


@pytest.mark.parametrize("count", ["inf", "nan", "-inf", DIGITS, "-1", "0.5", "1e300", "many"])
def test_invocations(count, tmp_path):
    path = tmp_path / "summary.csv"
    path.write_text(SUMMARY.replace('"100"', f'"{count}"'))
    assert load(path).launches[0].invocations == 1


@pytest.mark.parametrize("text", [f"({DIGITS}, 1, 1)", f"(1, 1, {DIGITS})", "(²,1,1)"])
def test_sizes(text):
    assert dim3(text) is None


@pytest.mark.parametrize("value", [float("inf"), float("nan"), 1e300, 0.0, "1"])
def test_sizes_of_a_report(value):
    names = (f"launch__grid_dim_{axis}" for axis in "xyz")
    assert _dim3(MetricTable(dict.fromkeys(names, value)), "launch__grid_dim") is None


@pytest.mark.parametrize("text", [f"{DIGITS}.0", f"9.{DIGITS}", "².0", "9", "9.0.0"])
def test_compute_capability(text):
    assert device_of(MetricTable({}), text).compute_capability is None


def test_version():
    settings = settings_of_command("ncu app", {"Nsight Compute Target": f"2025.{DIGITS}.0"})
    assert settings.ncu_version == "2025.999999999"


@pytest.mark.parametrize("duration", ["1e-320", "5e-324", "1e-101", "1e308", "0"])
@pytest.mark.parametrize("words", ["diagnose A", "compare A B", "compare B A", "check --write A", "metrics A"])
def test_duration(duration, words, tmp_path):
    files = {"A": tmp_path / "a.csv", "B": ODD / "raw_units.csv"}
    files["A"].write_text(RAW.replace("15,360", duration))
    result = CliRunner().invoke(group, [str(files.get(word, word)) for word in words.split()])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception


@pytest.mark.parametrize("duration", [1e-320, 1e-90, 1e99])
@pytest.mark.parametrize("words", ["diagnose A", "compare A B", "compare B A", "check --write A"])
def test_duration_of_a_saved_diagnosis(duration, words, tmp_path):
    run = CliRunner().invoke
    files = {"A": tmp_path / "a.json", "B": tmp_path / "b.json"}
    assert run(group, ["diagnose", str(ODD / "raw_units.csv"), "-f", "json", "-o", str(files["B"])]).exit_code == 0
    files["A"].write_text(files["B"].read_text().replace("15360.0", repr(duration)))
    assert repr(duration) in files["A"].read_text()
    result = run(group, [str(files.get(word, word)) for word in words.split()])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception


@pytest.mark.parametrize("text", ['"ID,5\nFunction Name,foo\n'])
def test_interface_without_columns(text, tmp_path):
    path = tmp_path / "gui.csv"
    path.write_text(text)
    result = CliRunner().invoke(group, ["diagnose", str(path)])
    assert isinstance(result.exception, SystemExit), result.exception
