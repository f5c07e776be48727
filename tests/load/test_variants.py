"""The other forms that ncu writes, against the report they were exported from."""

import pytest

from load.paths import TRIPLES, VARIANTS
from load.test_triples import agrees
from ncuanalyze.errors import ProfilingFailed, UnknownFormat
from ncuanalyze.load import load
from ncuanalyze.profile import Absence, Workload

SM = "sm__throughput.avg.pct_of_peak_sustained_elapsed"


@pytest.fixture(scope="module")
def eager():
    return load(TRIPLES / "eager.ncu-rep.xz")


@pytest.mark.parametrize(
    ("name", "format", "known"),
    [
        ("details_name.csv.xz", "csv-details", 86),
        ("details_all.csv.xz", "csv-details", 400),
        ("details.txt.xz", "console", 86),
        ("raw_inst.csv.xz", "csv-raw", 2200),
        ("utf16.csv.xz", "csv-raw", 2200),
        ("mangled.csv.xz", "csv-raw", 2200),
    ],
)
def test_export_of_the_same_report(eager, name, format, known):
    profile = load(VARIANTS / name)
    assert profile.format == format
    assert [launch.name for launch in profile.launches] == [launch.name for launch in eager.launches]
    assert [launch.nvtx for launch in profile.launches] == [("outer", "step")] * 3
    for ours, printed in zip(eager.launches, profile.launches, strict=True):
        listed = set(ours.metrics.names()) - {"derived__pct_occupancy_per_shared_mem_size"}
        names = [name for name in printed.metrics.names() if name in listed]
        assert len(names) >= known
        assert [name for name in names if not agrees(ours, printed, name)] == []


def test_body_items_reach_warp_states_and_breakdowns(eager):
    launch = load(VARIANTS / "details_all.csv.xz").launches[0]
    stall = "smsp__average_warps_issue_stalled_gmma_per_issue_active.ratio"
    assert launch.number(stall) == pytest.approx(eager.launches[0].number(stall), abs=0.005)
    assert launch.number("l1tex__data_bank_reads.avg.pct_of_peak_sustained_elapsed") is not None
    assert launch.number("fbpa__dram_sectors.avg.pct_of_peak_sustained_elapsed") is not None


def test_instances_survive_the_export(eager):
    name = "inst_executed"
    printed = load(VARIANTS / "raw_inst.csv.xz").launches[0].metrics.instances(name)
    assert [value for _, value in printed] == [
        value for _, value in eager.launches[0].metrics.instances(name)
    ]


def test_console_keeps_the_verdict(eager):
    verdicts = [r.title for r in load(VARIANTS / "details.txt.xz").launches[0].stored_results if r.rule]
    assert verdicts == ["High Compute Throughput"]


def test_graph_in_both_forms():
    report, page = (load(VARIANTS / name).launches[0] for name in ("graph.ncu-rep.xz", "graph_raw.csv.xz"))
    assert (report.workload, page.workload) == (Workload.GRAPH, Workload.GRAPH)
    assert (report.grid, page.grid, report.stream, page.stream) == (None, None, "", "")
    assert page.duration_ns == pytest.approx(report.duration_ns)
    # asked for the source of a graph, ncu_report 2026.3.1 ends the process
    assert report.source is None


def test_range_has_no_launch_size():
    launch = load(VARIANTS / "range_details.csv.xz").launches[0]
    assert (launch.workload, launch.grid, launch.stream) == (Workload.RANGE, None, "")
    assert launch.duration_ns == pytest.approx(248990)


def test_failed_launch_is_kept_and_marked():
    ok, bad = load(VARIANTS / "fault.ncu-rep.xz").launches
    assert (ok.name, ok.failed, bad.name, bad.failed) == ("ok", False, "bad", True)
    assert bad.duration_ns is None
    assert bad.absence("gpu__time_duration.sum") is Absence.NOT_A_NUMBER
    assert bad.absence("launch__registers_per_thread") is Absence.NOT_COLLECTED


def test_default_set_has_no_warp_states():
    launch = load(VARIANTS / "basic.ncu-rep.xz").launches[0]
    assert launch.number(SM) is not None
    stall = "smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio"
    assert launch.absence(stall) is Absence.NOT_COLLECTED


@pytest.mark.parametrize("name", ["direct_full.csv.xz", "direct_metrics.csv.xz", "interleaved.csv.xz"])
def test_direct_output_tells_the_clocks(name):
    profile = load(VARIANTS / name)
    assert profile.settings.clock_control == "none"
    assert any("unmodified GPU clocks" in warning for warning in profile.warnings)


def test_program_output_between_the_rows_is_skipped():
    profile = load(VARIANTS / "interleaved_raw_nvtx.csv.xz")
    assert [launch.nvtx for launch in profile.launches] == [("outer", "step")] * 3
    assert "2 line(s) without data of a launch were skipped" in profile.warnings


def test_summary_averages_over_launches():
    launches = load(VARIANTS / "summary.csv.xz").launches
    assert [launch.name for launch in launches] == [
        "nvjet_sm90_tst_256x128_64x4_1x2_h_bz_coopA_NNT",
        "vectorized_elementwise_kernel",
        "vectorized_elementwise_kernel",
    ]


@pytest.mark.parametrize(
    ("name", "error", "words"),
    [
        ("session.csv.xz", UnknownFormat, "session page"),
        ("source.csv.xz", UnknownFormat, "source page"),
        ("basic.log", UnknownFormat, "log of an ncu run"),
        ("fault.log", ProfilingFailed, "LaunchFailed"),
        ("none.log", ProfilingFailed, "error code"),
    ],
)
def test_what_is_no_export(name, error, words):
    with pytest.raises(error, match=words) as raised:
        load(VARIANTS / name)
    assert raised.value.hint
