"""What bounds a kernel: ncu's thresholds at their limits, the limiting unit, and when other evidence overrules."""

import math

import pytest
from launches import FIXTURES, PCT, make_launch

from ncuanalyze.analysis.kernel import KernelAnalysis
from ncuanalyze.bound import Classification, classify, limiter, limiter_name
from ncuanalyze.diagnosis import Bound
from ncuanalyze.load import load

SM, MEMORY = "sm__throughput" + PCT, "gpu__compute_memory_throughput" + PCT
SYSMEM = "lts__t_sectors_srcunit_tex_aperture_sysmem_lookup_miss.sum"


def kernel(metrics: dict[str, float | None], **fields: object) -> KernelAnalysis:
    return KernelAnalysis(make_launch(metrics, **fields))  # type: ignore[arg-type]


def loads(**pct: float) -> dict[str, float]:
    return {name + PCT: value for name, value in pct.items()}


def both(sm: float | None, memory: float | None) -> Classification:
    return classify(kernel({SM: sm, MEMORY: memory}))


@pytest.mark.parametrize(
    ("sm", "memory", "bound"),
    [
        (80, 10, "compute"),
        (10, 80, "memory"),
        (79.99, 69.99, "compute"),
        (79.99, 70, "balanced"),
        (69.99, 79.99, "memory"),
        (70, 79.99, "balanced"),
        (80, 79, "compute"),
        (79, 80, "memory"),
        (60, 50, "compute"),
        (60, 50.01, "balanced"),
        (59.99, 10, "latency"),
        (59.99, 59.99, "latency"),
        (60, 60, "balanced"),
        (0, 0, "latency"),
        (100, 100, "memory"),
        (101, 90, "compute"),
    ],
)
def test_the_thresholds_of_the_classification(sm: float, memory: float, bound: str) -> None:
    found = both(sm, memory)
    assert found.bound.value == bound
    assert found.evidence and all(item.holds for item in found.evidence)


@pytest.mark.parametrize(
    ("sm", "memory", "note"),
    [
        (None, 50, "SM throughput is missing"),
        (50, None, "memory throughput is missing"),
        (None, None, "SM and memory throughput are missing"),
        (math.nan, 50, "SM throughput is missing"),
        (50, math.inf, "memory throughput is missing"),
    ],
)
def test_a_missing_throughput_is_never_a_guess(sm: float | None, memory: float | None, note: str) -> None:
    found = both(sm, memory)
    assert (found.bound, found.note, found.evidence) == (Bound.INCONCLUSIVE, note, ())


def test_a_failed_launch_is_inconclusive_whatever_it_reads() -> None:
    found = classify(kernel({SM: 90, MEMORY: 10}, failed=True))
    assert (found.bound, found.note) == (Bound.INCONCLUSIVE, "the launch failed")


@pytest.mark.parametrize(
    ("sm", "memory", "noted"), [(50, 45, True), (50, 41, True), (50, 40, False), (45, 39, False), (30, 30, False)]
)
def test_latency_with_both_sides_about_equally_busy_has_a_note(sm: float, memory: float, noted: bool) -> None:
    found = both(sm, memory)
    assert found.bound is Bound.LATENCY
    assert ("until the next roof" in found.note) is noted


@pytest.mark.parametrize(
    ("fma", "dram", "bound"),
    [(93, 91, "memory"), (96, 85, "compute")],
    ids=["DRAM at 99 % of what it sustains, FMA at 96 %", "FMA at 99 %, DRAM at 92 %"],
)
def test_of_two_saturated_sides_the_one_nearer_to_what_its_unit_sustains(fma: float, dram: float, bound: str) -> None:
    found = classify(kernel({SM: fma, MEMORY: dram, **loads(sm__pipe_fma_cycles_active=fma, dram__cycles_active=dram)}))
    assert found.bound.value == bound
    assert "both saturated" in found.note


def test_pascals_names_are_read() -> None:
    found = classify(KernelAnalysis(load(FIXTURES / "arch" / "sm61_02.raw.csv.xz").launches[0]))
    assert found.bound is Bound.LATENCY


@pytest.mark.parametrize(
    ("metrics", "unit"),
    [
        ({SM: 90, MEMORY: 20, **loads(sm__pipe_fma_cycles_active=90, dram__cycles_active=20)}, "fma"),
        ({SM: 20, MEMORY: 90, **loads(sm__pipe_fma_cycles_active=20, dram__cycles_active=90)}, "dram"),
        ({SM: 30, MEMORY: 40, **loads(sm__pipe_fma_cycles_active=30, dram__cycles_active=40)}, "dram"),
        ({SM: 100, MEMORY: 20, **loads(sm__inst_executed=100, sm__pipe_alu_cycles_active=80)}, "alu"),
        ({SM: 100, MEMORY: 20, **loads(sm__inst_executed=100, sm__pipe_alu_cycles_active=79)}, "issue"),
        ({SM: 20, MEMORY: 70, **loads(lts__t_sectors=70, lts__throughput=79.9)}, "l2"),
        ({SM: 20, MEMORY: 70, **loads(dram__cycles_active=70, lts__throughput=79.9)}, "dram"),
        ({SM: 20, MEMORY: 70, **loads(dram__cycles_active=70, lts__throughput=80.1)}, "l2"),
        ({SM: 90, MEMORY: 20}, None),
        ({SM: 90, MEMORY: 20, **loads(sm__inst_executed=30)}, None),
    ],
    ids=[
        "compute: the busiest pipe",
        "memory: the busiest level",
        "latency: the busiest of both sides",
        "a pipe with four fifths of the issued instructions stands for the issue slots",
        "a pipe with less does not",
        "L2 by its counters",
        "L2's own throughput within ten points of DRAM",
        "L2's own throughput above",
        "no breakdown",
        "a breakdown that does not explain the throughput",
    ],
)
def test_the_limiter(metrics: dict[str, float], unit: str | None) -> None:
    analysis = kernel(metrics)
    assert limiter_name(analysis, classify(analysis).bound) == unit


def test_an_inconclusive_kernel_has_no_limiter() -> None:
    assert limiter(kernel(loads(dram__cycles_active=90)), Bound.INCONCLUSIVE) is None


@pytest.mark.parametrize(
    ("sectors", "sm", "bound", "unit"),
    [
        (1.4e6, 10, Bound.MEMORY, "host"),
        (1.3e6, 10, Bound.LATENCY, "host"),
        (1.4e6, 65, Bound.COMPUTE, "host"),
        (1.4e6, 90, Bound.COMPUTE, None),
        (0, 10, Bound.LATENCY, None),
    ],
    ids=[
        "85 % of the link",
        "78 % of the link",
        "compute above 60 % keeps its bound",
        "a unit busier than the link",
        "no host traffic",
    ],
)
def test_host_traffic_at_the_links_ceiling(sectors: float, sm: float, bound: Bound, unit: str | None) -> None:
    analysis = kernel({SM: sm, MEMORY: 8, SYSMEM: sectors, "gpu__time_duration.sum": 1e6})
    assert classify(analysis).bound is bound
    assert limiter_name(analysis, bound) == unit


def test_a_tensor_path_at_its_own_peak_overrules_what_sm_throughput_shows() -> None:
    peak = "sm__ops_path_tensor_src_fp16_dst_fp32_sparsity_off.sum"
    tensor = {
        "gpu__time_duration.sum": 1e6,
        "sm__cycles_elapsed.avg.per_second": 1e9,
        f"{peak}.peak_sustained": 100_000,
        f"{peak}.per_second": 94e12,
    }
    found = classify(kernel({SM: 47, MEMORY: 30, **tensor}, cc=(8, 9)))
    assert found.bound is Bound.COMPUTE
    assert "ceiling of its own precision" in found.note
    assert found.evidence[0].value == pytest.approx(94)
    below = {SM: 47, MEMORY: 30, **tensor, f"{peak}.per_second": 79e12}
    assert classify(kernel(below, cc=(8, 9))).bound is Bound.LATENCY


@pytest.mark.parametrize(
    ("fixture", "bound", "unit"),
    [
        ("demo.raw.csv.xz", "memory", "shared"),
        ("triples/c26.raw.csv.xz", "memory", "dram"),
        ("triples/c14.raw.csv.xz", "latency", "fma"),
        ("roofline/c11.raw.csv.xz", "compute", "fma"),
        ("roofline/c12.raw.csv.xz", "compute", "fp64"),
        ("roofline/c23.raw.csv.xz", "memory", "l2"),
        ("roofline/c24.raw.csv.xz", "memory", "l1tex"),
        ("variants/basic.ncu-rep.xz", "memory", None),
    ],
)
def test_real_kernels(fixture: str, bound: str, unit: str | None) -> None:
    analysis = KernelAnalysis(load(FIXTURES / fixture).launches[0])
    found = classify(analysis)
    assert found.bound.value == bound
    assert unit is None or limiter_name(analysis, found.bound) == unit
