"""Workloads as users write them, and the two utilisations."""

from __future__ import annotations

from pathlib import Path

import pytest

from ncuanalyze.errors import InvalidInput
from ncuanalyze.modelling.utilisation import utilization_of
from ncuanalyze.modelling.workload import load_workloads, parse_workload

A100_FP32, A100_BF16, A100_BYTES = 19.5e12, 312e12, 2.039e12
RMSNORM = "rmsnorm_kernel=rmsnorm b=4096 d=4096 dtype=fp16"


def test_a_workload_on_the_command_line() -> None:
    workload = parse_workload("matmul_kernel=gemm m=4096 n=4096 k=4096 dtype=bf16")
    assert (workload.pattern, workload.operator.name) == ("matmul_kernel", "gemm")
    assert workload.work.flop == 2 * 4096**3
    assert workload.text == "gemm m=4096 n=4096 k=4096 dtype=bf16"


@pytest.mark.parametrize(
    ("pattern", "names", "matches"),
    [
        ("matmul_kernel", ("matmul_kernel",), True),
        ("matmul_kernel", ("matmul_kernel_2",), False),
        ("nvjet_*", ("nvjet_sm90_tst_256x128_64x4_1x2_h_bz_coopA_NNT",), True),
        ("gemm_bf16", ("nvjet_sm90", "", "gemm_bf16"), True),
        ("void k<float[4]>(int)", ("k", "void k<float[4]>(int)"), True),
        ("k", (), False),
    ],
)
def test_which_kernels_a_workload_means(pattern: str, names: tuple[str, ...], matches: bool) -> None:
    workload = parse_workload("x=gelu n=64")
    assert type(workload)(**{**vars(workload), "pattern": pattern}).matches(*names) is matches


def test_workloads_of_a_file(tmp_path: Path) -> None:
    file = tmp_path / "workloads.toml"
    file.write_text(
        '[[workload]]\nkernel = "matmul_kernel"\noperator = "gemm"\nm = 64\nn = 64\nk = 64\ndtype = "bf16"\n'
        '[[workload]]\nkernel = "moe"\noperator = "grouped_gemm"\nm = [128, 256]\nn = 64\nk = 32\n'
        '[[workload]]\nkernel = "attn"\noperator = "attention"\ns = 128\ncausal = true\n'
    )
    gemm, grouped, attention, last = load_workloads([str(file), "k=add n=64"])
    assert gemm.work.flop == 2 * 64**3
    assert grouped.work.flop == 2 * 384 * 64 * 32
    assert attention.work.flop == 2 * 128 * 128 * 128
    assert last.pattern == "k"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("gemm m=64", "names no kernel and operator"),
        ("=gemm m=64", "names no kernel and operator"),
        ("k=gemm m=64", "gemm needs n, k"),
        ("k=nonsense m=64", "no operator is called"),
        ("k=gelu n", "not a name=value pair"),
    ],
)
def test_workloads_that_users_get_wrong(text: str, message: str) -> None:
    with pytest.raises(InvalidInput, match=message) as error:
        parse_workload(text)
    assert error.value.hint


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "no \\[\\[workload\\]\\] table"),
        (b"workload = 3", "no \\[\\[workload\\]\\] table"),
        (b"[[workload]]\nm = 3\n", "lacks kernel or operator"),
        (b"[[workload", "is not TOML"),
        (b"\xff\xfe", "is not TOML"),
    ],
)
def test_files_that_users_get_wrong(tmp_path: Path, content: bytes, message: str) -> None:
    file = tmp_path / "workloads.toml"
    file.write_bytes(content)
    with pytest.raises(InvalidInput, match=message):
        load_workloads([str(file)])


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="cannot read"):
        load_workloads([str(tmp_path / "none.toml")])


def test_the_exercise() -> None:
    """fp16 RMSNorm 4096x4096 in 0.18 ms on an A100 80GB whose memory is 55 % busy."""
    found = utilization_of(
        parse_workload(RMSNORM),
        duration_ns=180_000,
        peak_flop_per_s=A100_FP32,
        peak_bytes_per_s=A100_BYTES,
        hardware_bandwidth_pct=55,
        hardware_flop_pct=22,
    )
    assert found.algorithmic_bytes == pytest.approx(67.1e6, rel=1e-3)
    assert found.algorithmic_bytes / 180e-6 == pytest.approx(373e9, rel=1e-3)
    assert found.algorithmic_bandwidth_pct == pytest.approx(18.3, abs=0.05)
    assert found.extra_bytes_factor == pytest.approx(3.0, abs=0.05)
    text = " ".join(found.reading)
    for words in ("about 3x the compulsory traffic", "one pass", "num_warps", "vector width", "num_stages"):
        assert words in text
    assert "occupancy" not in text


def test_busy_machine_that_moves_more_than_it_needs() -> None:
    """95 % hardware and 60 % algorithmic bandwidth: 1.6x the bytes."""
    needed = 2 * 2 * 4096 * 4096
    found = utilization_of(
        parse_workload(RMSNORM),
        duration_ns=1e9 * needed / (0.60 * A100_BYTES),
        peak_flop_per_s=A100_FP32,
        peak_bytes_per_s=A100_BYTES,
        hardware_bandwidth_pct=95,
    )
    assert found.algorithmic_bandwidth_pct == pytest.approx(60)
    assert found.extra_bytes_factor == pytest.approx(1.6, abs=0.02)


@pytest.mark.parametrize(
    ("moved", "words"),
    [(1.0, "no extra traffic"), (2.5, "2.50x what the operator needs: re-reads"), (0.5, "stayed in L2")],
)
def test_measured_bytes_stand_before_percentages(moved: float, words: str) -> None:
    needed = 2 * 2 * 4096 * 4096
    found = utilization_of(
        parse_workload(RMSNORM),
        duration_ns=100_000,
        peak_flop_per_s=A100_FP32,
        peak_bytes_per_s=A100_BYTES,
        measured_bytes=moved * needed,
        hardware_bandwidth_pct=55,
    )
    assert found.extra_bytes_factor == moved
    assert any(words in line for line in found.reading)


def test_padded_tiles_are_executed_flop_not_needed_flop() -> None:
    """A product with one row on Tensor Cores runs tiles of eight."""
    found = utilization_of(
        parse_workload("gemv=gemm m=1 n=8192 k=8192 dtype=bf16"),
        duration_ns=45_000,
        peak_flop_per_s=A100_BF16,
        peak_bytes_per_s=A100_BYTES,
        measured_flop=8 * 2 * 8192**2,
    )
    assert found.extra_flop_factor == 8
    assert any("8.0x the FLOP" in line for line in found.reading)


def test_what_is_not_measured_stays_missing() -> None:
    found = utilization_of(
        parse_workload("c=copy n=2^26"),
        duration_ns=200_000,
        peak_flop_per_s=A100_FP32,
        peak_bytes_per_s=A100_BYTES,
    )
    assert found.hardware_bandwidth_pct is None
    assert found.extra_bytes_factor is None
    assert found.extra_flop_factor is None
    assert found.algorithmic_flop_pct == 0


def test_a_good_kernel_gets_no_advice() -> None:
    found = utilization_of(
        parse_workload(RMSNORM),
        duration_ns=35_000,
        peak_flop_per_s=A100_FP32,
        peak_bytes_per_s=A100_BYTES,
    )
    assert not any(line.startswith("try: ") for line in found.reading)
