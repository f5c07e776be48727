"""Findings about a whole report: elementwise chains and launch overhead, at their thresholds."""

import math
from collections.abc import Mapping

import pytest
from launches import BESIDE, PCT, make_launch, make_profile

from ncuanalyze.diagnose import diagnose
from ncuanalyze.diagnosis import Diagnosis, Finding
from ncuanalyze.load import load
from ncuanalyze.profile import KernelLaunch, Workload

MIB = 2**20
SECTORS = 32 * MIB  # a tensor of 1 GiB
ELEMENTWISE = {
    "gpu__time_duration.sum": 500e3,
    "sm__throughput" + PCT: 20,
    "gpu__compute_memory_throughput" + PCT: 90,
    "gpu__dram_throughput" + PCT: 90,
    "smsp__inst_executed.sum": SECTORS,
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum": SECTORS,
    "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum": SECTORS,
}
GEMM = {"gpu__time_duration.sum": 500e3, "sm__throughput" + PCT: 90, "gpu__compute_memory_throughput" + PCT: 40}


def elementwise(
    name: str = "scale", changed: Mapping[str, float | None] | None = None, **fields: object
) -> KernelLaunch:
    return make_launch({**ELEMENTWISE, **(changed or {})}, name=name, **{"id": name, **fields})  # type: ignore[arg-type]


def chains(*launches: KernelLaunch) -> list[Finding]:
    found = diagnosed(*launches).findings
    return [finding for finding in found if finding.id == "unfused_elementwise_chain"]


def diagnosed(*launches: KernelLaunch) -> Diagnosis:
    return diagnose(make_profile(*launches))


def test_three_steps_over_one_tensor_are_a_chain() -> None:
    (finding,) = chains(elementwise("scale"), elementwise("bias"), elementwise("relu"))
    assert finding.kernels == ("scale", "bias", "relu")
    assert finding.speedup is not None and finding.speedup.estimate == pytest.approx(3)
    assert finding.evidence[0].value == 4 * 2**30
    assert "(scale, bias, relu)" in finding.message


def test_one_step_is_none() -> None:
    assert chains(elementwise()) == []


@pytest.mark.parametrize(
    "second",
    [
        elementwise("other_stream", stream="7"),
        elementwise("other_context", context="2"),
        elementwise("smaller", {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum": 0.94 * SECTORS}),
        elementwise("compute_bound", {"sm__throughput" + PCT: 95, "gpu__compute_memory_throughput" + PCT: 60}),
        elementwise("cached", {"gpu__dram_throughput" + PCT: 49}),
        elementwise("softmax", {"smsp__inst_executed.sum": 2 * 4.1 * SECTORS}),
        elementwise("only_reads", {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum": 0}),
        elementwise("not_collected", {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum": None}),
        elementwise("nan", {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum": math.nan}),
        elementwise("without_time", {"gpu__time_duration.sum": None}),
        elementwise("failed", failed=True),
        elementwise("graph", workload=Workload.GRAPH),
    ],
    ids=lambda launch: launch.name,
)
def test_a_step_that_does_not_pass_the_tensor_on_is_no_chain(second: KernelLaunch) -> None:
    assert chains(elementwise(), second) == []


@pytest.mark.parametrize(
    "second",
    [
        elementwise("same_but_5_percent", {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum": 0.95 * SECTORS}),
        elementwise("dram_at_half", {"gpu__dram_throughput" + PCT: 50}),
        elementwise("four_instructions_a_sector", {"smsp__inst_executed.sum": 2 * 4 * SECTORS}),
    ],
    ids=lambda launch: launch.name,
)
def test_a_step_at_a_threshold_is_part_of_the_chain(second: KernelLaunch) -> None:
    assert len(chains(elementwise(), second)) == 1


def test_a_kernel_between_two_steps_ends_the_chain() -> None:
    between = make_launch(GEMM, name="gemm")
    assert chains(elementwise("a"), between, elementwise("b")) == []
    found = chains(elementwise("a"), elementwise("b"), between, elementwise("c"), elementwise("d"))
    assert [finding.kernels for finding in found] == [("a", "b"), ("c", "d")]


def launches_of(short: int, long: int) -> list[KernelLaunch]:
    brief = [make_launch({"gpu__time_duration.sum": 4000}, id=f"s{n}") for n in range(short)]
    return brief + [make_launch({"gpu__time_duration.sum": 5000}, id=f"l{n}") for n in range(long)]


@pytest.mark.parametrize(
    ("short", "long", "found"), [(5, 5, True), (4, 0, False), (5, 6, False), (6, 6, True), (0, 20, False)]
)
def test_launch_overhead_needs_five_short_kernels_and_half_of_all(short: int, long: int, found: bool) -> None:
    ids = [finding.id for finding in diagnosed(*launches_of(short, long)).findings]
    assert ("launch_overhead" in ids) is found


def test_launch_overhead_names_its_kernels() -> None:
    (finding,) = diagnosed(*launches_of(5, 0)).findings
    assert finding.kernels == ("s0", "s1", "s2", "s3", "s4")
    assert "5 of 5 launches run under 5 µs (20 µs together)" in finding.message
    assert all(item.holds for item in finding.evidence)


@pytest.mark.skipif(not (BESIDE / "planted").is_dir(), reason="the labelled reports are not beside this checkout")
def test_the_labelled_chain() -> None:
    (finding,) = diagnose(load(BESIDE / "planted" / "reports" / "c32.ncu-rep.xz")).findings
    assert finding.id == "unfused_elementwise_chain"


STRIDED = {
    "sm__throughput" + PCT: 20,
    "gpu__compute_memory_throughput" + PCT: 92,
    "dram__cycles_active" + PCT: 92,
    "memory_l2_theoretical_sectors_global": 2000,
    "memory_l2_theoretical_sectors_global_ideal": 1000,
    "lts__t_sectors_srcunit_tex.sum": 2000,
    "dram__bytes.sum": 64000,
}
CLEAN = {**STRIDED, "memory_l2_theoretical_sectors_global": 1000}


def strided(name: str, us: float, metrics: Mapping[str, float] = STRIDED) -> KernelLaunch:
    return make_launch({**metrics, "gpu__time_duration.sum": us * 1000}, name=name, id=name)


def ranked(*launches: KernelLaunch) -> Finding | None:
    return next((item for item in diagnosed(*launches).findings if item.kind == "ranking"), None)


def test_kernels_are_ranked_by_time_and_headroom() -> None:
    finding = ranked(strided("short", 100), strided("long", 700), strided("clean", 900, CLEAN))
    assert finding is not None
    assert finding.kernels == ("long", "short")
    assert [item.value for item in finding.evidence] == pytest.approx([100 * 0.35 / 1.7, 100 * 0.05 / 1.7], rel=0.02)
    assert finding.speedup is None


@pytest.mark.parametrize(
    "launches",
    [
        (),
        (strided("only", 100),),
        (strided("a", 100), strided("clean", 100, CLEAN)),
        (strided("a", 1e6), strided("b", 1)),
    ],
    ids=["none", "one kernel", "one with headroom", "the second is worth nothing"],
)
def test_without_a_choice_there_is_no_ranking(launches: tuple[KernelLaunch, ...]) -> None:
    assert ranked(*launches) is None


def test_at_most_five_kernels_are_ranked() -> None:
    finding = ranked(*(strided(f"kernel_{n}", 100 + n) for n in range(9)))
    assert finding is not None
    assert finding.kernels == tuple(f"kernel_{n}" for n in (8, 7, 6, 5, 4))
