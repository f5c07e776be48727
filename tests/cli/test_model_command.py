"""``ncuanalyze model`` and ``gpus``: what they print, in every format, and what they say to mistakes."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result

from ncuanalyze.cli.main import group

SVG = "{http://www.w3.org/2000/svg}"


def _run(*words: str) -> Result:
    return CliRunner().invoke(group, words)


def _model(*words: str) -> str:
    result = _run("model", *words)
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.mark.parametrize("words", [("transpose", "m=64", "n=64"), ("embedding", "tokens=64", "d=64")])
def test_work_without_flop_has_no_rate(words: tuple[str, ...]) -> None:
    text = _model(*words, "--gpu", "a100")
    assert "attainable" not in text
    assert "floor time" in text


def test_one_operator_on_one_gpu() -> None:
    text = _model("gelu", "n=8192x4096", "--gpu", "a100")
    for words in (
        "65.8 µs",
        "memory",
        "134 MB",
        "above 90% of the memory bandwidth",
        "Worth writing by hand? No",
    ):
        assert words in text


def test_text_fits_in_80_columns_and_has_no_colour() -> None:
    for words in (
        ("attention", "b=4", "h=16", "s=2048", "-g", "h100", "-g", "b200", "-g", "a100", "-g", "h200"),
        ("gemm", "m=4096", "n=4096", "k=4096", "-gh100", "-gt4", "-gl4", "-ga10", "-gv100"),
        ("gemm", "--sweep", "m=n=k=64..16384", "-g", "a100"),
        ("rmsnorm", "b=4096", "d=4096", "-g", "gh200", "--current", "0.18ms"),
    ):  # fmt: skip
        text = _model(*words)
        assert "\x1b" not in text
        assert max(map(len, text.splitlines())) <= 80


def test_colour_on_demand() -> None:
    assert "\x1b[" in _model("gelu", "n=64", "-g", "a100", "--color")


def test_several_gpus_stand_side_by_side() -> None:
    text = _model("gemm", "m=4096", "n=4096", "k=4096", "dtype=bf16", "-g", "a100", "-g", "h100")
    assert "A100 80GB SXM" in text
    assert "H100 SXM" in text
    assert "441 µs" in text
    assert "139 µs" in text


def test_against_what_runs_today() -> None:
    text = _model("rmsnorm", "b=4096", "d=4096", "-g", "a100", "--current", "0.18ms")
    assert "Yes, up to 4.6× faster: it runs at 18.3% of its bound" in text


def test_custom_work() -> None:
    data = json.loads(_model("custom", "--flop", "2e12", "--bytes", "3e9", "-g", "h200", "-f", "json"))
    (item,) = data["estimates"]
    assert (item["flop"], item["bytes"], item["bound"]) == (2e12, 3e9, "compute")
    assert data["schema"] == "ncuanalyze.model/1"


def test_json_has_units_in_names_and_no_infinity() -> None:
    text = _model("custom", "flop=1e12", "bytes=0", "-g", "h200", "-f", "json")
    (item,) = json.loads(text)["estimates"]
    assert item["flop_per_byte"] is None
    assert {"floor_ns", "peak_flop_per_s", "memory_bytes_per_s", "ridge_flop_per_byte"} <= set(item)


def test_csv_of_a_sweep() -> None:
    rows = list(csv.DictReader(io.StringIO(_model("gemm", "--sweep", "m=n=k=64..8192", "-g", "a100", "-f", "csv"))))
    assert [row["m=n=k"] for row in rows] == ["64", "128", "256", "512", "1024", "2048", "4096", "8192"]
    assert [row["bound"] for row in rows] == ["memory"] * 3 + ["compute"] * 5


def test_json_of_a_sweep() -> None:
    data = json.loads(_model("gemm", "n=64", "k=64", "--sweep", "m=1..4", "-g", "a100", "-f", "json"))
    assert [point["value"] for point in data["points"]] == [1, 2, 4]


def test_chart_of_a_sweep() -> None:
    root = ElementTree.fromstring(_model("gemm", "--sweep", "m=n=k=64..8192", "-g", "a100", "-g", "h100", "-f", "svg"))
    texts = [element.text for element in root.iter(f"{SVG}text")]
    marks = [element for element in root.iter(f"{SVG}path") if "mark" in element.get("class", "")]
    assert len(marks) == 16
    assert any(text and text.startswith("A100 80GB SXM: FP16 tensor 312") for text in texts)
    assert "8192" in texts


def test_a_chart_needs_flop() -> None:
    result = _run("model", "copy", "n=64", "-g", "a100", "-f", "svg")
    assert result.exit_code == 2
    assert "without FLOP" in result.output


def test_output_file(tmp_path: Path) -> None:
    target = tmp_path / "gemm.csv"
    words = ("model", "gelu", "n=64", "-g", "a100", "-f", "csv", "-o", str(target))
    assert _run(*words).exit_code == 0
    assert target.read_text().startswith("gpu_key,operator")
    refused = _run(*words)
    assert refused.exit_code == 1
    assert "--force" in refused.output


def test_operators_are_listed() -> None:
    text = _model()
    for name in ("gemm m= n= k=", "attention_decode", "quantised_gemm", "custom flop= bytes="):
        assert name in text


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("gemm", "m=2", "n=2", "k=2"), "no GPU is named"),
        (("gemm", "m=2", "-g", "a100"), "gemm needs n, k"),
        (("gemm", "m=2", "n=2", "k=2", "-g", "a1000"), "no GPU is called"),
        (("gemm", "m=2", "n=2", "k=2", "dtype=fp8", "-g", "a100"), "has no fp8 rate"),
        (("gemm", "m", "-g", "a100"), "not a name=value pair"),
        (("nope", "-g", "a100"), "no operator is called"),
        (("gelu", "n=64", "-g", "a100", "--current", "180"), "is not a time"),
        (("gelu", "n=64", "-g", "a100", "--current", "-1ms"), "is not a time"),
        (("gemm", "--sweep", "m=9..1", "-g", "a100"), "runs backwards"),
    ],
)
def test_mistakes_get_one_line_and_a_hint(words: tuple[str, ...], message: str) -> None:
    result = _run("model", *words)
    assert result.exit_code == 2
    assert message in result.output
    assert "Hint: " in result.output
    assert "Traceback" not in result.output


def test_gpus_lists_every_product_and_its_ridge() -> None:
    text = _run("gpus").stdout
    assert "a100-80gb-sxm" in text
    assert "rtx-5090" in text
    line = next(line for line in text.splitlines() if line.startswith("h200-sxm"))
    assert line.split()[-1] == "206"


def test_one_gpu_shows_its_sources() -> None:
    text = _run("gpus", "h100").stdout
    for words in ("132 SMs", "BF16 tensor", "295.3", "228 KiB shared", "Sources:", "whitepaper"):
        assert words in text


def test_gpus_as_data() -> None:
    rows = list(csv.DictReader(io.StringIO(_run("gpus", "-f", "csv").stdout)))
    assert {"gpu", "flop_per_s", "ridge_flop_per_byte", "source"} <= set(rows[0])
    (spec,) = json.loads(_run("gpus", "b200", "-f", "json").stdout)
    assert spec["key"] == "b200"
    assert spec["figures"]["memory_bytes_per_s"]["unit"] == "byte/s"


def test_an_unknown_gpu() -> None:
    result = _run("gpus", "h1000")
    assert result.exit_code == 2
    assert "Hint: known:" in result.output
