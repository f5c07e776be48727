"""How busy each unit is, and what is said where the report does not break a throughput down."""

import math

import pytest
from launches import FIXTURES, PCT, make_launch

from ncuanalyze.analysis.kernel import KernelAnalysis
from ncuanalyze.analysis.speed_of_light import UNEXPLAINED_POINTS, UnitLoads, dominant_pipe, unit_loads
from ncuanalyze.load import load
from ncuanalyze.profile import KernelLaunch

SM, MEMORY = "sm__throughput" + PCT, "gpu__compute_memory_throughput" + PCT
DRAM, FMA, ISSUE = "dram__cycles_active" + PCT, "sm__pipe_fma_cycles_active" + PCT, "sm__inst_executed" + PCT
WAVEFRONTS = "l1tex__data_pipe_lsu_wavefronts" + PCT


def of(metrics: dict[str, float | None]) -> UnitLoads:
    return unit_loads(make_launch(metrics))


def test_counters_become_loads_busiest_first() -> None:
    found = of({DRAM: 20, FMA: 90, ISSUE: 50})
    assert [(load.unit, load.busy) for load in found.loads] == [("fma", 0.9), ("issue", 0.5), ("dram", 0.2)]
    assert found.busiest("memory") is found.of_unit("dram")
    assert found.busiest() is found.loads[0]


@pytest.mark.parametrize("value", [None, math.nan, math.inf])
def test_a_counter_without_a_number_is_left_out(value: float | None) -> None:
    assert of({DRAM: value}).loads == ()


def test_an_idle_unit_is_measured() -> None:
    assert [load.busy for load in of({DRAM: 0}).loads] == [0]


@pytest.mark.parametrize(
    ("shared_pct", "unit"), [(None, "l1tex"), (10, "l1tex"), (40, "l1tex"), (41, "shared"), (80, "shared")]
)
def test_the_l1_data_stage_is_shared_memorys_where_most_wavefronts_are(shared_pct: float | None, unit: str) -> None:
    name = "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum.pct_of_peak_sustained_elapsed"
    assert of({WAVEFRONTS: 80, name: shared_pct}).loads[0].unit == unit


@pytest.mark.parametrize("above", [0.0, UNEXPLAINED_POINTS])
def test_a_throughput_that_a_counter_explains_is_that_units(above: float) -> None:
    assert [load.unit for load in of({MEMORY: 50 + above, DRAM: 50}).loads] == ["dram"]


def test_a_throughput_that_no_counter_explains_is_a_unit_without_a_name() -> None:
    found = of({MEMORY: 99.8, DRAM: 0.1, SM: 5.5, ISSUE: 5.5})
    busiest = found.busiest("memory")
    assert busiest is not None
    assert (busiest.unit, busiest.busy, busiest.metric) == ("", 0.998, MEMORY)
    assert found.of_unit("dram") is not None


def test_l2s_own_throughput_explains_memory() -> None:
    assert [load.unit for load in of({MEMORY: 88, DRAM: 20, "lts__throughput" + PCT: 88}).loads] == ["l2", "dram"]


@pytest.mark.parametrize(
    ("metrics", "measured"),
    [
        ({SM: 10, MEMORY: 10}, True),
        ({SM: 10}, False),
        ({MEMORY: 10}, False),
        ({}, False),
        ({ISSUE: 10, DRAM: 10}, True),
        ({SM: math.nan, MEMORY: 10}, False),
    ],
)
def test_a_gain_needs_both_sides(metrics: dict[str, float | None], measured: bool) -> None:
    assert of(metrics).measured is measured


def test_what_a_unit_sustains_is_at_least_what_it_reads() -> None:
    (load,) = of({DRAM: 95}).loads
    assert load.sustained == 0.95
    (load,) = of({DRAM: 50}).loads
    assert load.sustained == 0.92
    (load,) = of({DRAM: 103}).loads
    assert load.sustained == 1.0


@pytest.mark.parametrize(("fma", "named"), [(40, "fma"), (39, None)])
def test_a_pipe_that_takes_most_instructions_is_named_for_the_issue_slots(fma: float, named: str | None) -> None:
    found = dominant_pipe(of({ISSUE: 50, FMA: fma}).loads, 0.8)
    assert (found.unit if found else None) == named


def test_no_pipe_is_named_without_issue_slots() -> None:
    assert dominant_pipe(of({FMA: 40}).loads, 0.8) is None
    assert dominant_pipe(of({ISSUE: 0, FMA: 0}).loads, 0.8) is None


def launch(fixture: str) -> KernelLaunch:
    return load(FIXTURES / fixture).launches[0]


@pytest.mark.parametrize(
    ("fixture", "unit"),
    [
        ("demo.raw.csv.xz", "shared"),
        ("triples/c26.raw.csv.xz", "dram"),
        ("roofline/c11.raw.csv.xz", "issue"),
        ("roofline/c12.raw.csv.xz", "fp64"),
        ("roofline/c24.raw.csv.xz", "l1tex"),
    ],
)
def test_the_busiest_unit_of_kernels_made_to_saturate_one(fixture: str, unit: str) -> None:
    busiest = unit_loads(launch(fixture)).busiest()
    assert busiest is not None
    assert busiest.unit == unit


def test_every_full_report_explains_its_throughputs() -> None:
    for fixture in ("demo.raw.csv.xz", "triples/c14.raw.csv.xz", "arch/sm100_62.raw.csv.xz", "arch/sm86_33.raw.csv.xz"):
        assert all(load.unit for load in unit_loads(launch(fixture)).loads)


def test_tensor_operations_stand_in_for_a_pipe_counter_that_reads_less() -> None:
    gemm = next(item for item in load(FIXTURES / "roofline/gemm.raw.csv.xz").launches if "gemm_bf16_4096" in item.nvtx)
    analysis = KernelAnalysis(gemm)
    assert analysis.loads[0].unit == "tensor"
    assert analysis.loads[0].busy == pytest.approx(0.903, abs=0.01)
