"""``ncuanalyze roofline`` and ``ncuanalyze calibrate`` as a user runs them."""

import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ncuanalyze.cli.main import group

FIXTURES = Path(__file__).parents[2] / "fixtures" / "roofline"
GEMM, COPY, L2 = (str(FIXTURES / f"{name}.raw.csv.xz") for name in ("gemm", "c26", "c23"))


def run(*arguments: str) -> Result:
    return CliRunner().invoke(group, list(arguments))


def test_without_a_file_it_prints_roofs_with_their_formulas() -> None:
    result = run("roofline", GEMM, "--nvtx", "gemm_bf16_4096")
    assert result.exit_code == 0, result.output
    assert "nearest roof: BF16 tensor, 90.3% of it reached" in result.output
    assert "137,438,953,472 FLOP" in result.output
    assert "= dram__bytes.sum.peak_sustained (1,504 byte/cycle)" in result.output


def test_the_ceilings_of_the_package_are_shown_for_their_gpu() -> None:
    assert "sustained by saturating kernels" in run("roofline", COPY).output


def test_a_kernel_becomes_one_svg(tmp_path: Path) -> None:
    chart = tmp_path / "chart.svg"
    result = run("roofline", GEMM, "--nvtx", "gemm_bf16_4096", "-o", str(chart))
    assert result.exit_code == 0, result.output
    assert chart.read_text("utf-8").startswith("<svg ")
    assert "BF16 tensor" in chart.read_text("utf-8")


def test_several_kernels_become_numbered_files(tmp_path: Path) -> None:
    result = run("roofline", GEMM, "--top", "3", "-o", str(tmp_path / "chart.svg"))
    assert result.exit_code == 0, result.output
    assert sorted(path.name for path in tmp_path.iterdir()) == ["chart-0.svg", "chart-1.svg", "chart-2.svg"]


def test_an_existing_file_is_kept_unless_forced(tmp_path: Path) -> None:
    chart = tmp_path / "chart.svg"
    chart.write_text("mine")
    assert run("roofline", COPY, "-o", str(chart)).exit_code == 1
    assert chart.read_text() == "mine"
    assert run("roofline", COPY, "-o", str(chart), "--force").exit_code == 0
    assert chart.read_text().startswith("<svg ")


@pytest.mark.parametrize(("suffix", "magic"), [(".png", b"\x89PNG"), (".pdf", b"%PDF")])
def test_png_and_pdf_for_slides_and_papers(tmp_path: Path, suffix: str, magic: bytes) -> None:
    try:
        import cairosvg  # noqa: F401
    except (ImportError, OSError) as error:
        pytest.skip(f"cairosvg or the cairo library is not installed: {error}")
    chart = tmp_path / f"chart{suffix}"
    result = run("roofline", GEMM, "--nvtx", "gemm_fp64_2048", "-o", str(chart))
    assert result.exit_code == 0, result.output
    assert chart.read_bytes().startswith(magic)


def test_without_the_converter_the_error_names_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cairosvg", None)
    result = run("roofline", COPY, "-o", str(tmp_path / "chart.png"))
    assert result.exit_code == 1
    assert "ncuanalyze[charts]" in result.output
    assert not list(tmp_path.iterdir())


def test_an_unknown_suffix_is_named(tmp_path: Path) -> None:
    result = run("roofline", COPY, "-o", str(tmp_path / "chart.bmp"))
    assert result.exit_code == 2
    assert ".svg" in result.output


def test_calibrate_writes_what_ceilings_reads(tmp_path: Path) -> None:
    file = tmp_path / "ceilings.toml"
    result = run("calibrate", COPY, L2, GEMM, "-o", str(file))
    assert result.exit_code == 0, result.output
    shown = run("roofline", COPY, "--ceilings", str(file))
    assert shown.exit_code == 0, shown.output
    assert "83.7% reached, 83.7% sustained" in shown.output


def test_calibrate_prints_the_file_and_says_what_it_did_not_use() -> None:
    result = CliRunner().invoke(group, ["calibrate", COPY, GEMM])
    assert result.stdout.startswith("# What saturating kernels reached of each roof on NVIDIA H200.")
    assert "not used: splitKreduce_kernel: too short for steady counters" in result.stderr


def test_a_missing_report_is_one_line_with_a_hint() -> None:
    for command in ("roofline", "calibrate"):
        result = run(command, "none.ncu-rep")
        assert result.exit_code == 1
        assert "Error: cannot read none.ncu-rep" in result.output
        assert "Traceback" not in result.output
