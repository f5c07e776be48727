"""``ncuanalyze occupancy``: from sizes, from a Triton tile and from a report, in every format."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result

from ncuanalyze.cli.main import group

REPORT = str(Path(__file__).parents[2] / "fixtures" / "reports" / "triton.ncu-rep.xz")
TILE = ("block_m=128", "block_n=128", "block_k=64", "num_stages=3", "num_warps=8", "dtype=fp16")


def _run(*words: str) -> Result:
    return CliRunner().invoke(group, ("occupancy", *words))


def _text(*words: str) -> str:
    result = _run(*words)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_from_sizes() -> None:
    text = _text("--gpu", "a100", "--threads", "128", "--regs", "192", "--smem", "48KB", "--reach", "18.75")
    assert "Theoretical occupancy 12.5%: 8 of 64 warps, 2 blocks per SM; limited by\nregisters." in text
    assert "registers 192 -> 168" in text
    assert max(map(len, text.splitlines())) <= 80


def test_from_a_compute_capability() -> None:
    assert "8 blocks per SM" in _text("--gpu", "9.0", "--threads", "256", "--regs", "32")


@pytest.mark.parametrize("words", [TILE, (" ".join(TILE),)], ids=["words", "one text"])
def test_from_a_triton_tile(words: tuple[str, ...]) -> None:
    text = _text("--gpu", "a100", "--regs", "168", "--reach", "50", "--triton", *words)
    assert "3 stages of 32,768 B" in text
    assert "98,304 B shared memory" in text
    assert "limited by\nregisters, shared memory" in text
    assert "maxnreg" in text


def test_every_kernel_of_a_report_agrees_with_ncu() -> None:
    kernels = json.loads(_text(REPORT, "-f", "json"))["kernels"]
    assert len(kernels) == 10
    for kernel in kernels:
        assert kernel["calculated"]["limits"] == kernel["recorded"]
        assert kernel["calculated"]["theoretical_pct"] == pytest.approx(kernel["recorded_pct"])


def test_a_report_as_a_table_and_one_kernel_in_full() -> None:
    assert "rmsnorm_bad_kernel" in _text(REPORT)
    text = _text(REPORT, "--kernel", "rmsnorm_bad")
    assert "ncu recorded 50% and the same limits" in text
    assert "threads 32 -> 64" in text
    assert "latency is exposed" in text


def test_curves_as_csv_and_svg() -> None:
    rows = list(csv.DictReader(io.StringIO(_text(REPORT, "-k", "rmsnorm_bad", "-f", "csv"))))
    assert {row["varied"] for row in rows} == {"registers", "shared", "threads"}
    root = ElementTree.fromstring(_text(REPORT, "-k", "rmsnorm_bad", "-f", "svg"))
    assert len(root.findall(".//{http://www.w3.org/2000/svg}circle")) == 3


def test_a_launch_that_does_not_fit() -> None:
    text = _text("--gpu", "a100", "--threads", "1024", "--regs", "255")
    assert "Not even one block fits" in text


SIZES = ("--gpu", "a100", "--threads", "256", "--regs", "32")
USAGE = 2


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "threads and registers are needed"),
        (("--threads", "256", "--regs", "32"), "no GPU is named"),
        (("--gpu", "a100", "--threads", "2048", "--regs", "32"), "threads per block do not exist"),
        (("--gpu", "3.5", "--threads", "256", "--regs", "32"), "no SM limits for compute capability 3.5"),
        ((*SIZES, "--smem", "1.5MB"), "is no size"),
        ((*SIZES, "--smem", "9" * 400), "is no size"),
        (("--gpu", "a100", "--triton", *TILE), "registers per thread of the tile are unknown"),
        (("--gpu", "a100", "--regs", "64", "--triton", "block_m=64"), "lacks block_n, block_k"),
        (("--gpu", "a100", "--regs", "64", "--triton", *TILE[:3], "num_stages=100000"), "num_stages of 1 to 1,024"),
        (("block_m=64",), "belong to --triton"),
        (("--gpu", "a100", "block_m=64"), "belong to --triton"),
        ((REPORT, "--threads", "5", "--gpu", "a100", "--smem", "1KB"), "--gpu, --threads, --smem: no use beside a rep"),
        (("--gpu", "a100", "--regs", "64", "--threads", "64", "--triton", *TILE), "--threads: no use beside --triton"),
        ((*SIZES, "-k", "gemm"), "--kernel: no use beside sizes"),
        ((*SIZES, "--reach", "50", "-f", "csv"), "--reach: no use beside --format csv"),
    ],
)
def test_usage_mistakes_get_one_line_and_a_hint(words: tuple[str, ...], message: str) -> None:
    result = _run(*words)
    assert result.exit_code == USAGE
    assert message in result.stderr
    assert len(result.stderr.splitlines()) == 2
    assert "Hint: " in result.stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((*SIZES[:4], "--regs", "256"), "256 is not in the range 1<=x<=255"),
        ((*SIZES, "--reach", "0"), "0.0 is not in the range"),
        ((*SIZES, "--reach", "120"), "120.0 is not in the range"),
    ],
)
def test_numbers_beyond_the_hardware_are_usage_mistakes(words: tuple[str, ...], message: str) -> None:
    result = _run(*words)
    assert result.exit_code == USAGE
    assert message in result.stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((REPORT, "-k", "nothing"), "no kernel with a launch configuration"),
        ((REPORT, "-f", "svg"), "10 kernels have no common curve"),
        ((REPORT, "--reach", "50"), "10 kernels have no common way"),
        ((*SIZES, "--reach", "nan"), "is no occupancy"),
        (("missing.ncu-rep",), "missing.ncu-rep"),
    ],
)
def test_mistakes_get_one_line_and_a_hint(words: tuple[str, ...], message: str) -> None:
    result = _run(*words)
    assert result.exit_code == 1
    assert message in result.output
    assert "Hint: " in result.output
    assert "Traceback" not in result.output


def test_a_report_and_what_belongs_to_it() -> None:
    assert "25%" in _text(REPORT, "-k", "rmsnorm_bad", "--reach", "75", "--no-color")
