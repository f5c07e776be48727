"""Workloads on real reports: executed against needed, moved against needed."""

from __future__ import annotations

from pathlib import Path

import pytest

from ncuanalyze.diagnose import diagnose
from ncuanalyze.diagnosis import Diagnosis, Utilization, from_dict, to_dict
from ncuanalyze.load import load
from ncuanalyze.modelling.apply import apply_workloads
from ncuanalyze.modelling.workload import load_workloads, parse_workload

FIXTURES = Path(__file__).parents[2] / "fixtures"
PLANTED = Path(__file__).parents[2] / "../shared/planted/reports"


@pytest.fixture(scope="module")
def products() -> Diagnosis:
    return _applied(FIXTURES / "roofline" / "gemm.raw.csv.xz", "gemm.toml")


@pytest.fixture(scope="module")
def triton() -> Diagnosis:
    return _applied(FIXTURES / "reports" / "triton.ncu-rep.xz", "triton.toml")


def _applied(report: Path, workloads: str) -> Diagnosis:
    return apply_workloads(diagnose(load(report)), load_workloads([str(FIXTURES / "workloads" / workloads)]))


def _of(diagnosis: Diagnosis, name: str) -> Utilization:
    for item in diagnosis.kernels:
        if name in (item.kernel.name, *item.kernel.nvtx) and item.utilization is not None:
            return item.utilization
    raise AssertionError(name)


@pytest.mark.parametrize(
    "name",
    [
        "gemm_bf16_4096",
        "gemm_fp16_4096",
        "gemm_tf32_4096",
        "gemm_fp64_2048",
        "gemm_int8_4096",
        "gemm_fp8_4096",
        "gemm_bf16_128",
        "gemm_bf16_decode_16",
        "bmm_bf16_64x512",
        "gemm_sparse24_fp16_4096",
    ],
)
def test_library_products_execute_what_they_need(products: Diagnosis, name: str) -> None:
    assert _of(products, name).extra_flop_factor == 1.0


def test_the_product_with_one_row_executes_eight(products: Diagnosis) -> None:
    found = _of(products, "gemv_bf16_8192")
    assert found.extra_flop_factor == pytest.approx(8.0)
    assert found.extra_bytes_factor == pytest.approx(1.02, abs=0.01)


def test_rmsnorm_moves_about_its_compulsory_bytes(triton: Diagnosis) -> None:
    """Its output stays partly in L2, so the traffic is below, not above."""
    found = _of(triton, "triton_rmsnorm_fp16")
    assert found.algorithmic_bytes == 2 * 2 * 4096**2
    assert 0.6 < (found.extra_bytes_factor or 0) < 1.1
    assert found.algorithmic_bandwidth_pct == pytest.approx(84.4, abs=0.5)
    assert (found.hardware_bandwidth_pct or 0) < found.algorithmic_bandwidth_pct
    assert any("stayed in L2" in line for line in found.reading)


@pytest.mark.parametrize(
    ("name", "extra_bytes"),
    [
        ("triton_vadd_fp32", 0.98),
        ("triton_rmsnorm_bad_fp16", 0.92),
        ("triton_matmul_bf16_good", 2.14),
        ("triton_matmul_bf16_small", 4.83),
        ("triton_attn_fp16", 0.94),
        ("triton_attn_fp16_spilling", 4.89),
    ],
)
def test_what_moves_more_than_it_needs(triton: Diagnosis, name: str, extra_bytes: float) -> None:
    assert _of(triton, name).extra_bytes_factor == pytest.approx(extra_bytes, abs=0.01)


def test_fused_attention_leaves_device_memory_idle(triton: Diagnosis) -> None:
    found = _of(triton, "triton_attn_fp16")
    assert found.algorithmic_flop / found.algorithmic_bytes == 2048 / 2
    assert found.hardware_bandwidth_pct == pytest.approx(9, abs=0.5)


def test_the_algorithmic_point_and_the_saved_form(triton: Diagnosis) -> None:
    matmul = next(item for item in triton.kernels if "triton_matmul_bf16_good" in item.kernel.nvtx)
    assert matmul.roofline is not None
    assert (matmul.roofline.algorithmic_flop, matmul.roofline.algorithmic_bytes) == (2 * 4096**3, 6 * 4096**2)
    assert triton.warnings == ()
    saved = from_dict(to_dict(triton))
    assert isinstance(saved, Diagnosis)
    assert _of(saved, "triton_matmul_bf16_good") == matmul.utilization


def test_a_workload_that_names_nothing_is_a_warning(triton: Diagnosis) -> None:
    found = apply_workloads(triton, [parse_workload("nothing=gelu n=64")])
    assert found.warnings == ("--workload nothing names no kernel of the report",)


def test_a_range_of_several_kernels_is_a_warning(products: Diagnosis) -> None:
    assert len(products.warnings) == 1
    assert "gemm_bf16_decode_16 names an NVTX range of 2 kernels" in products.warnings[0]


def test_no_workload_changes_nothing(triton: Diagnosis) -> None:
    assert apply_workloads(triton, ()) is triton


def test_the_exercise_takes_peaks_from_the_gpu_data() -> None:
    report = Path(__file__).parents[2] / "docs" / "guide" / "exercise.csv"
    found = apply_workloads(diagnose(load(report)), [parse_workload("rmsnorm_kernel=rmsnorm b=4096 d=4096 dtype=fp16")])
    (kernel,) = found.kernels
    assert kernel.bound.value == "latency"
    assert kernel.stalls is not None
    assert kernel.stalls.reasons[0].reason == "long_scoreboard"
    assert kernel.stalls.reasons[0].share_pct == pytest.approx(62)
    assert kernel.utilization is not None
    assert kernel.utilization.algorithmic_bandwidth_pct == pytest.approx(18.3, abs=0.05)
    assert kernel.utilization.extra_bytes_factor == pytest.approx(3.0, abs=0.05)


@pytest.mark.skipif(not PLANTED.exists(), reason="the suite of planted bottlenecks is not here")
@pytest.mark.parametrize(
    ("report", "kernel", "extra_bytes"),
    [
        ("c01", "c01_stride", 1.0),
        ("c03", "c03_transpose", 1.1),
        ("c26", "c26_copy", 1.0),
        ("c28", "c28_host", 0.4),
        ("c32", "c32_relu", 1.0),
        ("c40", "c40_l2thrash", 4.0),
        ("c40", "c40_l2thrash_fix", 1.0),
    ],
)
def test_planted_kernels(report: str, kernel: str, extra_bytes: float) -> None:
    found = _applied(PLANTED / f"{report}.ncu-rep.xz", "planted.toml")
    assert _of(found, kernel).extra_bytes_factor == pytest.approx(extra_bytes, abs=0.05)
