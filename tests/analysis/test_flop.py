"""FLOP by precision and path: exact where counted, never twice, never against the wrong peak."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from roofline_launches import gemm, launch_of, only

from ncuanalyze.analysis.flop import flop_counts, tensor_utilization
from ncuanalyze.analysis.tensor_metrics import PREFIX
from ncuanalyze.diagnosis import FlopCount

CUBE_4096 = 2.0 * 4096**3
CUBE_2048 = 2.0 * 2048**3


def tensor(counts: tuple[FlopCount, ...]) -> list[FlopCount]:
    return [count for count in counts if count.path == "tensor"]


@pytest.mark.parametrize(
    ("nvtx", "precision", "instruction", "sparse", "flop", "own_pct", "best_pct"),
    [
        ("gemm_bf16_4096", "BF16", "hgmma", False, CUBE_4096, 90.32, 90.32),
        ("gemm_fp16_4096", "FP16", "hgmma", False, CUBE_4096, 90.16, 90.16),
        ("gemm_tf32_4096", "TF32", "hgmma", False, CUBE_4096, 88.23, 88.23),
        ("gemm_fp64_2048", "FP64", "dmma", False, CUBE_2048, 90.94, 90.94),
        ("gemm_int8_4096", "INT8", "imma", False, CUBE_4096, 67.57, 45.05),
        ("gemm_fp8_4096", "FP8", "qgmma", False, CUBE_4096, 81.16, 81.16),
        ("gemm_bf16_128", "BF16", "hgmma", False, 2.0 * 128**3, 0.11, 0.11),
        ("gemm_bf16_decode_16", "BF16", "hgmma", False, 2.0 * 16 * 4096**2, 4.70, 4.70),
        ("bmm_bf16_64x512", "BF16", "hgmma", False, 2.0 * 64 * 512**3, 58.79, 58.79),
        ("gemm_sparse24_fp16_4096", "FP16", "hgmma", True, CUBE_4096, 62.12, 62.12),
        # a GEMV on tensor cores executes padded tiles: eight columns for one
        ("gemv_bf16_8192", "BF16", "hgmma", False, 8 * 2.0 * 8192**2, 3.13, 3.13),
    ],
)
def test_a_gemm_reads_2mnk_against_the_peak_of_its_own_path(
    nvtx: str, precision: str, instruction: str, sparse: bool, flop: float, own_pct: float, best_pct: float
) -> None:
    (count,) = tensor(flop_counts(gemm(nvtx)))
    assert (count.precision, count.instruction, count.sparse) == (precision, instruction, sparse)
    assert count.flop == flop
    assert count.exact
    assert count.utilization_pct == pytest.approx(own_pct, abs=0.01)
    assert count.best_path_pct == pytest.approx(best_pct, abs=0.01)


def test_mma_sync_of_hopper_peaks_at_two_thirds() -> None:
    (count,) = tensor(flop_counts(gemm("gemm_int8_4096")))
    assert count.utilization_pct is not None and count.best_path_pct is not None
    assert count.best_path_pct / count.utilization_pct == pytest.approx(2 / 3)


def test_an_fp32_gemm_counts_fma_twice_and_its_epilogue() -> None:
    (count,) = flop_counts(gemm("gemm_fp32_2048"))
    assert (count.precision, count.path, count.exact) == ("FP32", "fma", True)
    assert count.flop == pytest.approx(CUBE_2048 + 2048**2, rel=1e-8)  # alpha and beta: one more a result
    assert count.utilization_pct == pytest.approx(75.43, abs=0.01)


def test_counts_come_busiest_first() -> None:
    first, second = flop_counts(gemm("gemm_fp8_4096"))
    assert (first.precision, second.precision) == ("FP8", "FP32")


def table(**values: float) -> dict[str, float | str | None]:
    """Metric names from the part after the prefix: ``x__sum`` is ``.sum``, ``x__peak`` the peak per cycle."""
    suffixes = {"sum": ".sum", "peak": ".sum.peak_sustained", "pct": ".avg.pct_of_peak_sustained_elapsed"}
    return {
        PREFIX + key.rpartition("__")[0] + suffixes[key.rpartition("__")[2]]: value
        for key, value in values.items()
    }


GEFORCE = {  # an RTX 40 card, FP16 products accumulated in FP32, which runs at half rate
    "sm__inst_executed_pipe_tensor_op_hmma.sum": 33_554_432.0,
    "sm__cycles_elapsed.avg": 12_166_938.67,
    "sm__cycles_active.avg": 11_909_536.0,
    "sm__pipe_tensor_op_hmma_cycles_active.avg.pct_of_peak_sustained_elapsed": 46.0,
    "sm__cycles_elapsed.avg.per_second": 2.0e9,
    "gpu__time_duration.sum": 12_166_938.67 / 2.0,
    **table(
        src_fp16_dst_fp32_sparsity_off__sum=137_438_953_472.0,
        src_fp16_dst_fp32_sparsity_off__peak=512.0 * 24,
        src_fp16_dst_fp16_sparsity_off__peak=1024.0 * 24,
    ),
}


def test_geforce_with_fp32_accumulation_is_at_its_ceiling_not_half_idle() -> None:
    (count,) = flop_counts(launch_of(GEFORCE, cc=(8, 9)))
    assert count.accumulator == "FP32"
    assert count.utilization_pct == pytest.approx(91.93, abs=0.01)
    load = tensor_utilization(launch_of(GEFORCE, cc=(8, 9)))
    assert load is not None and not load.is_issue_rate
    assert load.path_pct == pytest.approx(91.93, abs=0.01)


def test_dense_work_is_measured_against_the_dense_peak() -> None:
    launch = launch_of(
        table(
            src_bf16_dst_fp32__sum=919.0,
            src_bf16_dst_fp32__pct=46.6,
            op_hgmma_src_bf16_dst_fp32_sparsity_off__sum=919.0,
            op_hgmma_src_bf16_dst_fp32_sparsity_off__pct=91.9,
            op_hgmma_src_bf16_dst_fp32_sparsity_off__peak=1.0,
        )
    )
    (count,) = flop_counts(launch)
    assert (count.flop, count.utilization_pct) == (919.0, 91.9)


def test_an_aggregate_alone_gives_no_dense_percentage() -> None:
    launch = launch_of(
        table(src_bf16_dst_fp32__sum=919.0, src_bf16_dst_fp32__pct=46.6, src_bf16_dst_fp32__peak=2.0)
    )
    (count,) = flop_counts(launch)
    assert (count.flop, count.utilization_pct, count.peak_flop_per_s) == (919.0, None, None)
    assert "peak includes 2:4 sparsity" in count.basis
    assert "about 93 % dense" in count.basis


def test_aliases_are_not_added() -> None:
    launch = launch_of(
        table(
            src_bf16_dst_fp32__sum=1000.0,
            op_hgmma_src_bf16_dst_fp32__sum=1000.0,
            op_hgmma_src_bf16_dst_fp32_sparsity_off__sum=1000.0,
            op_hgmma_src_bf16_dst_fp32_sparsity_on__sum=0.0,
            op_hmma_src_bf16_dst_fp32_sparsity_off__sum=0.0,
        )
    )
    assert [count.flop for count in flop_counts(launch)] == [1000.0]


def test_two_paths_of_one_precision_are_two_counts() -> None:
    launch = launch_of(
        table(
            src_bf16_dst_fp32__sum=1000.0,
            op_hgmma_src_bf16_dst_fp32_sparsity_off__sum=700.0,
            op_hmma_src_bf16_dst_fp32_sparsity_off__sum=300.0,
        )
    )
    assert {count.instruction: count.flop for count in flop_counts(launch)} == {"hgmma": 700.0, "hmma": 300.0}


def test_what_the_collected_parts_leave_of_an_aggregate_is_kept() -> None:
    launch = launch_of(table(src_int8__sum=1000.0, op_igmma_src_int8_sparsity_off__sum=600.0))
    assert sorted(count.flop for count in flop_counts(launch)) == [400.0, 600.0]


@given(
    dense=st.integers(0, 10**15),
    sparse=st.integers(0, 10**15),
    legacy=st.integers(0, 10**15),
    drop=st.sets(st.integers(0, 5)),
)
def test_whatever_was_collected_the_total_is_never_more_than_the_work(
    dense: int, sparse: int, legacy: int, drop: set[int]
) -> None:
    values = {
        "src_bf16_dst_fp32__sum": float(dense + sparse + legacy),
        "op_hgmma_src_bf16_dst_fp32__sum": float(dense + sparse),
        "op_hgmma_src_bf16_dst_fp32_sparsity_off__sum": float(dense),
        "op_hgmma_src_bf16_dst_fp32_sparsity_on__sum": float(sparse),
        "op_hmma_src_bf16_dst_fp32__sum": float(legacy),
        "op_hmma_src_bf16_dst_fp32_sparsity_off__sum": float(legacy),
    }
    kept = {key: value for index, (key, value) in enumerate(values.items()) if index not in drop}
    total = sum(count.flop for count in flop_counts(launch_of(table(**kept))))
    work = dense + sparse + legacy
    assert total <= work * (1 + 1e-6)
    if 0 not in drop:
        assert total == pytest.approx(work, rel=1e-5)


@pytest.mark.parametrize(
    ("cc", "names", "instruction", "precision"),
    [
        ((10, 0), "op_utchmma_src_bf16_dst_fp32_sparsity_off", "utchmma", "BF16"),
        ((10, 0), "op_utcqmma_src_fp4_fp6_fp8_dst_fp32_sparsity_off", "utcqmma", "FP8/FP6/FP4"),
        ((10, 0), "op_utcomma_src_fp4_dst_fp32_sparsity_off", "utcomma", "FP4"),
        ((12, 0), "src_fp8_dst_fp32_sparsity_off", "qmma", "FP8"),
        ((12, 0), "op_hmma_src_fp16_dst_fp16_sparsity_on", "hmma", "FP16"),
        ((8, 0), "src_tf32_dst_fp32_sparsity_off", "hmma", "TF32"),
        ((7, 5), "src_fp16_bf16_tf32_dst_fp32", "hmma", "FP16"),
        ((7, 5), "src_int4", "imma", "INT4"),
    ],
)
def test_each_chip_names_its_own_paths(
    cc: tuple[int, int], names: str, instruction: str, precision: str
) -> None:
    launch = launch_of(table(**{f"{names}__sum": 640.0, f"{names}__peak": 1.0}), cc=cc)
    (count,) = flop_counts(launch)
    assert (count.flop, count.instruction, count.precision) == (640.0, instruction, precision)
    assert count.sparse is names.endswith("_on")


THREAD = "smsp__sass_thread_inst_executed_op_{}_pred_on.sum"


@pytest.mark.parametrize(
    ("counts", "precision", "flop"),
    [
        ({"fadd": 1, "fmul": 10, "ffma": 100}, "FP32", 211),
        ({"dadd": 1, "dmul": 10, "dfma": 100}, "FP64", 211),
        ({"hadd": 1, "hmul": 10, "hfma": 100}, "FP16", 422),
        ({"fadd": 0, "fmul": 0, "ffma": 0, "fadd2": 1, "fmul2": 10, "ffma2": 100}, "FP32", 422),
        ({"qadd4": 1, "qmul4": 10, "qfma4": 100}, "FP8", 844),
    ],
)
def test_thread_instructions_count_by_their_lanes_and_fma_as_two(
    counts: dict[str, int], precision: str, flop: int
) -> None:
    launch = launch_of({THREAD.format(name): float(value) for name, value in counts.items()}, cc=(10, 0))
    (count,) = flop_counts(launch)
    assert (count.precision, count.path, count.flop, count.exact) == (precision, "fma", flop, True)


def test_a_rate_per_cycle_stands_for_the_sum() -> None:
    rate = dict.fromkeys(("fadd", "fmul"), 0.0) | {"ffma": 3.0}
    launch = launch_of({THREAD.format(name) + ".per_cycle_elapsed": value for name, value in rate.items()})
    (count,) = flop_counts(launch)
    assert (count.flop, count.flop_per_s) == (6.0e6, 6.0e9)


def test_a_missing_addend_makes_a_lower_bound() -> None:
    (count,) = flop_counts(launch_of({THREAD.format("hfma"): 100.0}))
    assert (count.flop, count.exact) == (400.0, False)
    assert "hadd, hmul not collected" in count.basis


@pytest.mark.parametrize("value", [0.0, float("nan"), float("inf"), None])
def test_zero_and_missing_work_is_not_listed(value: float | None) -> None:
    metrics: dict[str, float | str | None] = {
        PREFIX + "src_fp64.sum": value,
        THREAD.format("ffma"): value,
    }
    assert flop_counts(launch_of(metrics)) == ()


@pytest.mark.parametrize("cut", ["gpu__time_duration.sum", "sm__cycles_elapsed.avg.per_second"])
def test_without_time_or_clock_the_work_still_counts(cut: str) -> None:
    (count,) = flop_counts(launch_of({**table(src_fp64__sum=10.0, src_fp64__peak=2.0), cut: 0.0}))
    assert count.flop == 10.0


def test_tensor_instructions_alone_are_an_issue_rate_not_flop() -> None:
    metrics: dict[str, float | str | None] = {
        "sm__inst_executed_pipe_tensor.sum": 1e6,
        "sm__inst_executed_pipe_tensor_op_hmma.avg.pct_of_peak_sustained_active": 41.0,
    }
    assert flop_counts(launch_of(metrics)) == ()
    load = tensor_utilization(launch_of(metrics))
    assert load is not None and load.is_issue_rate
    assert load.path_pct == 41.0


def test_a_report_without_tensor_data_says_nothing_of_them() -> None:
    assert tensor_utilization(only("sm61_01")) is None


@pytest.mark.parametrize(
    ("fixture", "precisions"),
    [
        ("sm61_01", []),
        ("sm75_14", ["FP32"]),
        ("sm80_28", ["FP32", "FP16"]),
        ("sm86_29", []),
        ("sm89_49", []),
        ("sm90_57", []),
        ("sm100_61", ["FP16", "FP32"]),
        ("c44", []),
    ],
)
def test_reports_of_other_chips_and_versions(fixture: str, precisions: list[str]) -> None:
    assert [count.precision for count in flop_counts(only(fixture))] == precisions
