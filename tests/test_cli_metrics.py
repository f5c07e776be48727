"""``ncuanalyze metrics`` by its output."""

import csv
import io
import json
from pathlib import Path

import pandas
import pytest
from click.testing import CliRunner

from ncuanalyze.cli.main import group

FIXTURES = Path(__file__).parents[1] / "fixtures"
DEMO = str(FIXTURES / "demo.ncu-rep.xz")
ODD = FIXTURES / "odd"


def run(*words):
    return CliRunner().invoke(group, ["metrics", *map(str, words)])


def test_text():
    result = run(DEMO, "--metric", "gpu__time_duration.sum", "-m", "^launch__registers_per_thread$")
    assert result.exit_code == 0
    assert result.stdout == (
        "0  c04_bank, grid 1056x1x1, block 256x1x1\n"
        "  gpu__time_duration.sum        2,072,224  ns\n"
        "  launch__registers_per_thread         17  register/thread\n"
        "\n"
        "1  c04_bank_fix, grid 1056x1x1, block 256x1x1\n"
        "  gpu__time_duration.sum        122,048  ns\n"
        "  launch__registers_per_thread       17  register/thread\n"
    )


def test_printed_labels_are_found_too():
    assert run(DEMO, "-m", "^Duration$").stdout == run(DEMO, "-m", "^gpu__time_duration.sum$").stdout


def test_kernel_filter():
    assert "c04_bank," not in run(DEMO, "-m", "Duration", "-k", "fix").stdout


def test_csv():
    result = run(DEMO, "-m", r"^dram__bytes_read\.sum$", "--format", "csv")
    rows = list(csv.reader(io.StringIO(result.stdout)))
    assert rows[0] == ["id", "name", "grid", "block", "nvtx", "dram__bytes_read.sum [byte]"]
    assert [row[:4] for row in rows[1:]] == [
        ["0", "c04_bank", "1056x1x1", "256x1x1"],
        ["1", "c04_bank_fix", "1056x1x1", "256x1x1"],
    ]
    assert all(float(row[5]) > 0 for row in rows[1:])


def test_csv_runs_no_formula():
    assert "'=1+1" in run(ODD / "kernel_names.csv", "-f", "csv").stdout


def test_no_control_character_reaches_the_terminal():
    for form in ("text", "csv", "json"):
        assert "\x1b" not in run(ODD / "kernel_names.csv", "-f", form).stdout


def test_json_says_why_a_number_is_missing():
    metrics = json.loads(run(ODD / "missing_values.csv", "-f", "json").stdout)[0]["metrics"]
    assert metrics["gpu__time_duration.sum"] == {"value": 4096.0, "unit": "ns"}
    assert metrics["smsp__example_0.avg"]["absence"] == "collected, but NaN or infinite"
    assert metrics["smsp__example_2.avg"]["absence"] == "collected, but without a value"
    assert {entry["value"] for name, entry in metrics.items() if "example" in name} == {None}


def test_parquet(tmp_path):
    pytest.importorskip("pyarrow")
    path = tmp_path / "metrics.parquet"
    assert run(DEMO, "-f", "parquet", "-o", path).exit_code == 0
    frame = pandas.read_parquet(path)
    assert frame["name"].tolist() == ["c04_bank", "c04_bank_fix"]
    assert frame["gpu__time_duration.sum"].tolist() == [2072224.0, 122048.0]
    assert frame["device__attribute_display_name"].tolist() == ["NVIDIA H200"] * 2
    assert frame.attrs["units"]["gpu__time_duration.sum"] == "ns"
    assert run(DEMO, "-f", "parquet", "-o", path).exit_code == 1


def test_warnings_go_beside_the_data():
    result = run(ODD / "trunc_2good_1husk.ncu-rep", "-m", "Duration")
    assert "1 kernel is lost" in result.stderr
    assert "1 kernel is lost" not in result.stdout


@pytest.mark.parametrize(
    ("words", "message", "hint"),
    [
        ([DEMO, "-m", "dram_bytes_read"], "no metric matches", "dram__bytes_read.sum"),
        ([DEMO, "-m", "zzzz"], "no metric matches", "lists every metric"),
        ([DEMO, "-k", "zzzz"], "no kernel matches", "c04_bank, c04_bank_fix"),
        (["no/such.ncu-rep"], "No such file", "path"),
        ([ODD / "err_permission.csv"], "ERR_NVGPUCTRPERM", "root"),
    ],
)
def test_errors_say_what_to_do(words, message, hint):
    result = run(*words)
    assert result.exit_code == 1
    assert message in result.stderr
    assert "Hint: " in result.stderr
    assert hint in result.stderr


def test_parquet_needs_a_file():
    result = run(DEMO, "-f", "parquet")
    assert result.exit_code == 2
    assert "no text for the terminal" in result.stderr
    assert "-o" in result.stderr
