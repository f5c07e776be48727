"""What a report does not hold, and the option that collects it."""

import pytest
from launches import FIXTURES, PCT, make_launch

from ncuanalyze.analysis.kernel import KernelAnalysis
from ncuanalyze.diagnose import diagnose
from ncuanalyze.diagnosis import Missing
from ncuanalyze.load import load
from ncuanalyze.missing import missing_of
from ncuanalyze.profile import Workload

WHOLE = {
    "sm__throughput" + PCT: 50,
    "gpu__compute_memory_throughput" + PCT: 50,
    "sm__inst_executed" + PCT: 50,
    "dram__cycles_active" + PCT: 50,
    "sm__warps_active.avg.pct_of_peak_sustained_active": 50,
    "dram__bytes.sum": 1,
}


def missing(without: str = "", **fields: object) -> dict[str, Missing]:
    metrics = {name: value for name, value in WHOLE.items() if not (without and name.startswith(without))}
    launch = make_launch(metrics, stalls={} if without == "stalls" else {"wait": 1}, **fields)  # type: ignore[arg-type]
    return {item.what: item for item in missing_of(KernelAnalysis(launch), ())}


def test_a_whole_report_lacks_nothing() -> None:
    assert missing() == {}


@pytest.mark.parametrize(
    ("without", "what", "collect"),
    [
        ("sm__throughput", "speed of light", "--section SpeedOfLight"),
        ("gpu__compute_memory", "speed of light", "--section SpeedOfLight"),
        ("sm__inst_executed", "the unit behind the throughput", "--page raw"),
        ("stalls", "stall reasons", "--section WarpStateStats --section SchedulerStats"),
        ("sm__warps_active", "occupancy", "--section Occupancy --section LaunchStats"),
        ("dram__bytes", "DRAM bytes", "--section MemoryWorkloadAnalysis"),
    ],
)
def test_an_absent_analysis_names_its_option(without: str, what: str, collect: str) -> None:
    assert missing(without)[what].collect == collect


def test_pascal_has_no_breakdown_to_collect() -> None:
    found = missing("sm__inst_executed", cc=(6, 1))["the unit behind the throughput"]
    assert (found.collect, "no breakdown" in found.reason) == ("", True)


@pytest.mark.parametrize("cc", [(7, 2), (8, 7)])
def test_chips_without_dram_counters_are_not_asked_for_them(cc: tuple[int, int]) -> None:
    assert missing("dram__bytes", cc=cc)["DRAM traffic"] == Missing(
        what="DRAM traffic", reason="this chip has no dram counters"
    )


@pytest.mark.parametrize("workload", [Workload.RANGE, Workload.GRAPH])
def test_a_range_has_no_occupancy_to_collect(workload: Workload) -> None:
    found = missing("sm__warps_active", workload=workload)["occupancy"]
    assert (found.collect, found.reason) == ("", f"a {workload} has no launch of its own")


def test_a_failed_launch_lacks_only_what_it_failed_to_measure() -> None:
    launch = make_launch({}, failed=True)
    assert [(item.what, item.reason, item.collect) for item in missing_of(KernelAnalysis(launch), ())] == [
        ("speed of light", "the launch failed", "")
    ]


def test_what_the_rules_lack_follows_and_is_not_repeated() -> None:
    asked = (
        Missing(what="Tail effect", reason="not collected", collect="--section SpeedOfLight"),
        Missing(what="Spilling", reason="not collected", collect="--section SourceCounters"),
    )
    found = missing_of(KernelAnalysis(make_launch({}, stalls={"wait": 1})), asked)
    assert [item.collect for item in found].count("--section SpeedOfLight") == 1
    assert found[-1].what == "Spilling"


def test_a_default_report_has_no_stalls_and_says_what_brings_them() -> None:
    (first, *_) = diagnose(load(FIXTURES / "variants" / "basic.ncu-rep.xz")).kernels
    assert first.stalls is None
    assert any("--section WarpStateStats" in item.collect for item in first.missing)


def test_a_full_report_lacks_nothing() -> None:
    assert [kernel.missing for kernel in diagnose(load(FIXTURES / "demo.ncu-rep.xz")).kernels] == [(), ()]
