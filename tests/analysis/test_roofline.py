"""Roofs from the report's own peaks and clocks, points per level, and the distance to the nearest roof."""

from dataclasses import replace
from pathlib import Path

import pytest
from roofline_launches import FIXTURES, gemm, launch_of, only, profile

from ncuanalyze.analysis.ceilings import Ceiling, Ceilings
from ncuanalyze.analysis.roofline import roofline_of, why_missing
from ncuanalyze.analysis.tensor_metrics import PREFIX
from ncuanalyze.diagnosis import Roof, Roofline
from ncuanalyze.load import load
from ncuanalyze.specs import spec_for_name

REPORTS = Path(__file__).parents[3] / "shared" / "planted"


def roofline(launch: object) -> Roofline:
    found = roofline_of(launch)  # type: ignore[arg-type]
    assert found is not None
    return found


def roofs(found: Roofline) -> dict[str, Roof]:
    return {roof.name: roof for roof in found.roofs}


@pytest.mark.parametrize(
    ("nvtx", "nearest", "pct"),
    [
        ("gemm_bf16_4096", "BF16 tensor", 90.3),
        ("gemm_fp32_2048", "FP32 FMA", 75.4),
        ("gemm_int8_4096", "INT8 tensor (mma.sync)", 67.6),
        ("gemv_bf16_8192", "DRAM", 80.9),
        ("gemm_sparse24_fp16_4096", "L2", 71.4),
        ("gemm_bf16_128", "L2", 0.96),
    ],
)
def test_the_nearest_roof_of_a_gemm(nvtx: str, nearest: str, pct: float) -> None:
    found = roofline(gemm(nvtx))
    assert found.nearest_roof == nearest
    assert found.nearest_roof_pct == pytest.approx(pct, rel=5e-3)


@pytest.mark.parametrize(
    ("fixture", "nearest", "pct"),
    [
        ("c11", "FP32 FMA", 92.3),
        ("c12", "FP64 FMA", 96.3),
        ("c23", "L2", 81.0),
        ("c24", "L1", 95.3),
        ("c26", "DRAM", 83.7),
    ],
)
def test_kernels_made_to_saturate_a_unit_are_nearest_to_its_roof(
    fixture: str, nearest: str, pct: float
) -> None:
    found = roofline(only(fixture))
    assert found.nearest_roof == nearest
    assert found.nearest_roof_pct == pytest.approx(pct, rel=5e-3)


@pytest.mark.parametrize(
    ("name", "per_s", "clock_hz"),
    [  # per cycle of an H200, times the clock that each unit of that report ran at
        ("DRAM", 1504, 3.19912e9),
        ("L2", 188 * 32, 1.70459e9),
        ("L1", 132 * 128, 1.61264e9),
        ("BF16 tensor", 132 * 4096, 1.61264e9),
        ("FP8 tensor", 132 * 8192, 1.61264e9),
    ],
)
def test_a_roof_is_its_peak_a_cycle_times_its_own_clock(name: str, per_s: float, clock_hz: float) -> None:
    roof = roofs(roofline(gemm("gemm_bf16_4096")))[name]
    assert roof.clock_hz == pytest.approx(clock_hz, rel=1e-5)
    assert roof.per_s == pytest.approx(per_s * clock_hz, rel=1e-5)
    assert "× " in roof.formula and roof.counters and roof.source == "report"


def test_a_roof_in_use_says_what_the_kernel_reaches_and_a_neighbour_does_not() -> None:
    found = roofs(roofline(gemm("gemm_int8_4096")))
    used, neighbour = found["INT8 tensor (mma.sync)"], found["INT8 tensor"]
    assert used.used and used.achieved_per_s == pytest.approx(8.547e14, rel=1e-3)
    assert not neighbour.used and neighbour.achieved_per_s is None
    assert used.per_s / neighbour.per_s == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("nvtx", "neighbours"),
    [
        ("gemm_fp32_2048", {"TF32 tensor", "BF16 tensor"}),
        ("gemm_tf32_4096", {"BF16 tensor"}),
        ("gemm_bf16_4096", {"FP8 tensor"}),
        ("gemm_fp8_4096", set()),
    ],
)
def test_the_neighbours_are_what_the_work_could_move_to(nvtx: str, neighbours: set[str]) -> None:
    assert {roof.name for roof in roofline(gemm(nvtx)).roofs if not roof.used} == neighbours


def test_sparse_and_dense_work_have_different_roofs() -> None:
    sparse = roofs(roofline(gemm("gemm_sparse24_fp16_4096")))["FP16 tensor, 2:4 sparse"]
    dense = roofs(roofline(gemm("gemm_fp16_4096")))["FP16 tensor"]
    assert sparse.clock_hz and dense.clock_hz
    assert (sparse.per_s / sparse.clock_hz) / (dense.per_s / dense.clock_hz) == pytest.approx(2.0)


def test_a_point_stands_at_work_over_traffic_of_its_level() -> None:
    points = {point.level: point for point in roofline(gemm("gemm_fp32_2048")).points}
    assert points["dram"].intensity == pytest.approx(477, rel=0.01)
    assert points["l2"].intensity == pytest.approx(46.3, rel=0.01)
    for point in points.values():
        assert point.flop_per_s == pytest.approx(5.009e13, rel=1e-3)
        assert point.intensity == point.flop / point.bytes
        assert not point.above_roof


def test_loads_that_go_past_l1_leave_no_point_there() -> None:
    found = roofline(gemm("gemm_bf16_4096"))
    assert {point.level for point in found.points} == {"dram", "l2"}
    assert any("past L1" in note for note in found.notes)


def test_a_copy_has_memory_roofs_and_no_point() -> None:
    found = roofline(only("c26"))
    assert found.points == () and found.flops == ()
    assert {roof.name for roof in found.roofs if roof.kind == "memory"} == {"DRAM", "L2", "L1"}


TENSOR = {
    PREFIX + "src_bf16_dst_fp32_sparsity_off.sum": 1e12,
    PREFIX + "src_bf16_dst_fp32_sparsity_off.sum.peak_sustained": 2e6,
}
DRAM = {
    "dram__bytes.sum.per_second": 1e12,
    "dram__bytes.sum.peak_sustained": 1000.0,
    "dram__cycles_elapsed.avg.per_second": 2e9,
}


def test_hand_numbers() -> None:
    found = roofline(launch_of({**TENSOR, **DRAM, "dram__bytes.sum.peak_sustained": 1250.0}, cc=(8, 0)))
    assert roofs(found)["DRAM"].per_s == 2.5e12
    assert roofs(found)["BF16 tensor"].per_s == 2e15
    (point,) = found.points
    assert (point.bytes, point.intensity, point.flop_per_s) == (1e9, 1000.0, 1e15)
    assert (found.nearest_roof, found.nearest_roof_pct) == ("BF16 tensor", 50.0)


@pytest.mark.parametrize("cc", [(7, 2), (8, 7)])
def test_chips_without_dram_counters_keep_the_other_roofs_and_say_so(cc: tuple[int, int]) -> None:
    l2 = {
        "lts__lts2xbar_cycles_active.sum.per_second": 1e9,
        "lts__lts2xbar_cycles_active.sum.peak_sustained": 8.0,
        "lts__cycles_elapsed.avg.per_second": 1e9,
    }
    found = roofline(launch_of(l2, cc=cc))
    assert [roof.name for roof in found.roofs] == ["L2"]
    assert found.nearest_roof_pct == 12.5
    assert f"DRAM counters do not exist on compute capability {cc[0]}.{cc[1]}" in found.notes


@pytest.mark.parametrize("value", [None, float("nan"), float("inf"), "n/a"])
def test_missing_traffic_is_neither_zero_nor_infinite_intensity(value: float | str | None) -> None:
    found = roofline(launch_of({**TENSOR, **DRAM, "dram__bytes.sum.per_second": value}, cc=(8, 0)))
    assert found.points == ()
    assert any("DRAM traffic was not collected" in note for note in found.notes)


def test_no_traffic_gives_no_point() -> None:
    found = roofline(launch_of({**TENSOR, **DRAM, "dram__bytes.sum.per_second": 0.0}, cc=(8, 0)))
    assert found.points == ()


def test_a_point_above_its_roof_is_kept_and_flagged() -> None:
    found = roofline(launch_of({**TENSOR, **DRAM, "dram__bytes.sum.per_second": 2.2e12}, cc=(8, 0)))
    (point,) = found.points
    assert point.above_roof
    assert (
        found.nearest_roof == "BF16 tensor"
    )  # an impossible share is not the nearest while another is believable
    assert any("DRAM reads 110 % of its roof" in note for note in found.notes)


def test_rounding_is_not_above_the_roof() -> None:
    found = roofline(launch_of({**TENSOR, **DRAM, "dram__bytes.sum.per_second": 2.004e12}, cc=(8, 0)))
    assert not found.points[0].above_roof


def test_a_shared_memory_limit_that_no_roof_shows_is_said() -> None:
    shared = {"l1tex__data_pipe_lsu_wavefronts_mem_shared.sum.pct_of_peak_sustained_elapsed": 98.0}
    assert any("98 % busy" in note for note in roofline(launch_of({**DRAM, **shared})).notes)


def test_tensor_instructions_alone_are_named_an_issue_rate() -> None:
    found = roofline(only("sm86_29"))
    assert not [count for count in found.flops if count.path == "tensor"]
    assert any("an issue rate, not FLOP" in note for note in found.notes)


def test_without_traffic_or_work_there_is_no_roofline_but_a_reason() -> None:
    launch = only("sm90_57")
    launch = replace(launch, metrics=launch_of({}).metrics)
    assert roofline_of(launch) is None
    assert len(why_missing(launch)) == 3


def test_the_published_dense_peak_stands_in_where_the_report_has_only_the_sparse_one() -> None:
    aggregate = {
        PREFIX + "src_bf16_dst_fp32.sum": 1e12,
        PREFIX + "src_bf16_dst_fp32.sum.peak_sustained": 132 * 8192.0,
    }
    found = roofline(launch_of({**aggregate, **DRAM}, name="NVIDIA H200", sm_count=132))
    roof = roofs(found)["BF16 tensor"]
    assert roof.source == "published"
    assert roof.per_s == 132 * 4096 * 1e9


@pytest.mark.parametrize(("factor", "said"), [(1.0, False), (1.09, False), (1.12, True), (0.5, True)])
def test_a_peak_far_from_the_published_one_is_said(factor: float, said: bool) -> None:
    metrics = {
        PREFIX + "op_hgmma_src_bf16_dst_fp32_sparsity_off.sum": 1e12,
        PREFIX + "op_hgmma_src_bf16_dst_fp32_sparsity_off.sum.peak_sustained": 132 * 4096 * factor,
    }
    found = roofline(
        launch_of(
            {**metrics, **DRAM, "dram__bytes.sum.peak_sustained": 2400.0}, name="NVIDIA H200", sm_count=132
        )
    )
    assert any("published" in note for note in found.notes) is said


def test_the_published_table_is_dense_and_agrees_with_the_report() -> None:
    published = spec_for_name("h200").peak("bf16")
    assert published.flop_per_cycle_per_sm * 132 * 1.83e9 == pytest.approx(989.5e12, rel=1e-3)
    roof = roofs(roofline(gemm("gemm_bf16_4096")))["BF16 tensor"]
    assert roof.clock_hz
    assert roof.per_s / roof.clock_hz == published.flop_per_cycle_per_sm * 132


@pytest.mark.parametrize("fixture", sorted(path.name.split(".")[0] for path in FIXTURES.glob("sm*.csv.xz")))
def test_no_chip_has_a_peak_far_from_the_published_one(fixture: str) -> None:
    found = roofline_of(only(fixture))
    assert not [note for note in (found.notes if found else ()) if "published" in note]


def test_fp16_accumulation_that_is_twice_as_fast_is_a_neighbour() -> None:
    metrics = {
        PREFIX + "src_fp16_dst_fp32_sparsity_off.sum": 1e12,
        PREFIX + "src_fp16_dst_fp32_sparsity_off.sum.peak_sustained": 1e6,
        PREFIX + "src_fp16_dst_fp16_sparsity_off.sum.peak_sustained": 2e6,
    }
    found = roofs(roofline(launch_of({**metrics, **DRAM}, cc=(8, 9))))
    assert found["FP16 tensor"].used
    assert not found["FP16 tensor, FP16 accumulate"].used


def test_algorithmic_work_is_passed_through() -> None:
    found = roofline_of(
        gemm("gemv_bf16_8192"), algorithmic_flop=2.0 * 8192**2, algorithmic_bytes=2.0 * 8192 * 8194
    )
    assert found is not None
    assert found.flops[0].flop / (found.algorithmic_flop or 1) == 8.0


def test_ceilings_follow_the_clock() -> None:
    ceilings = Ceilings(
        device="NVIDIA H200",
        ceilings=(
            Ceiling(
                roof="DRAM",
                pct_of_roof=90.0,
                per_s=1.0,
                unit="byte/s",
                kernel="copy",
                report="r",
                roof_per_s=2.0,
            ),
        ),
    )
    found = roofline_of(gemm("gemm_bf16_4096"), ceilings=ceilings)
    assert found is not None
    for roof in found.roofs:
        assert roof.sustained_per_s == (pytest.approx(0.9 * roof.per_s) if roof.name == "DRAM" else None)


@pytest.mark.skipif(not REPORTS.exists(), reason="needs the .ncu-rep files of the fixtures")
@pytest.mark.parametrize("name", ["gemm", "c23", "c26"])
def test_the_report_and_its_csv_export_give_one_roofline(name: str) -> None:
    for ours, theirs in zip(
        load(REPORTS / "reports" / f"{name}.ncu-rep.xz").launches, profile(name).launches, strict=True
    ):
        report, export = roofline(ours), roofline(theirs)
        assert [roof.name for roof in report.roofs] == [roof.name for roof in export.roofs]
        assert [roof.per_s for roof in report.roofs] == pytest.approx(
            [roof.per_s for roof in export.roofs], rel=1e-5
        )
        assert [count.flop for count in report.flops] == pytest.approx(
            [count.flop for count in export.flops], rel=1e-5
        )
        assert report.nearest_roof == export.nearest_roof
        assert report.notes == export.notes
