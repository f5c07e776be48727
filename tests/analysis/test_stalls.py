"""Stall reasons as shares of the issue latency, from counters or samples, under every spelling."""

import math

import pytest
from launches import FIXTURES, STALL, make_launch

from ncuanalyze.analysis.kernel import KernelAnalysis
from ncuanalyze.analysis.stalls import stall_table, stalls_of
from ncuanalyze.load import load

ISSUE = "smsp__issue_active.avg.per_cycle_active"
LATENCY = "smsp__average_warp_latency_per_inst_issued.ratio"
SAMPLES = "smsp__pcsamp_warps_issue_stalled_{}"


def shares(launch) -> dict[str, float]:
    found = stalls_of(launch)
    assert found is not None
    return {stall.reason: stall.share_pct for stall in found.reasons}


def test_shares_are_of_all_states_and_selected_is_apart() -> None:
    found = stalls_of(make_launch(stalls={"selected": 1, "long_scoreboard": 6, "wait": 3}))
    assert found is not None
    assert found.selected_pct == pytest.approx(10)
    assert [(stall.reason, stall.share_pct) for stall in found.reasons] == [
        ("long_scoreboard", pytest.approx(60)),
        ("wait", pytest.approx(30)),
    ]
    assert found.source == "counters"


def test_cycles_an_instruction_follow_the_measured_latency() -> None:
    found = stalls_of(make_launch({LATENCY: 20}, stalls={"selected": 1, "wait": 9}))
    assert found is not None
    assert found.reasons[0].cycles_per_issue == pytest.approx(18)


def test_samples_stand_in_where_there_are_no_counters() -> None:
    launch = make_launch({SAMPLES.format("long_scoreboard"): 30, SAMPLES.format("selected"): 10})
    found = stalls_of(launch)
    assert found is not None
    assert (found.source, found.selected_pct) == ("samples", pytest.approx(25))


@pytest.mark.parametrize(("issue", "matter"), [(0.79, True), (0.8, False), (1.0, False), (None, True)])
def test_stalls_matter_where_schedulers_often_have_nothing_to_issue(issue: float | None, matter: bool) -> None:
    found = stalls_of(make_launch({ISSUE: issue}, stalls={"wait": 1}))
    assert found is not None
    assert found.matter is matter


@pytest.mark.parametrize(
    ("spelling", "reason"),
    [
        (spelling, reason)
        for reason, entry in stall_table()["reason"].items()
        for spelling in (reason, *entry.get("spellings", ()))
    ],
)
def test_every_spelling_is_its_reason(spelling: str, reason: str) -> None:
    found = stalls_of(make_launch(stalls={spelling: 1, "selected": 1}))
    assert found is not None
    assert [stall.reason for stall in found.reasons] == ([] if reason == "selected" else [reason])


@pytest.mark.parametrize(
    "stalls", [{}, {"wait": math.nan}, {"wait": 0.0}, {"wait": math.inf}], ids=["none", "NaN", "zero", "infinite"]
)
def test_nothing_is_said_without_a_finite_number(stalls: dict[str, float]) -> None:
    assert stalls_of(make_launch(stalls=stalls)) is None


def test_a_number_that_is_missing_leaves_the_others() -> None:
    assert shares(make_launch(stalls={"wait": 1, "barrier": math.nan, "long_scoreboard": 3})) == {
        "long_scoreboard": pytest.approx(75),
        "wait": pytest.approx(25),
    }


def test_the_older_counter_family_is_read() -> None:
    launch = make_launch({"smsp__average_warp_latency_issue_stalled_long_scoreboard.ratio": 4})
    assert shares(launch) == {"long_scoreboard": pytest.approx(100)}


def test_the_waiting_share_leaves_out_warps_that_were_ready() -> None:
    kernel = KernelAnalysis(make_launch(stalls={"not_selected": 10, "barrier": 1, "wait": 3, "selected": 5}))
    assert kernel.stall_share("barrier") == pytest.approx(0.25)
    assert kernel.stall_share("barrier", "wait") == pytest.approx(1)
    assert kernel.stall_share("membar") == 0
    assert KernelAnalysis(make_launch()).stall_share("barrier") == 0


def test_shares_of_a_real_report_add_up() -> None:
    for launch in load(FIXTURES / "demo.raw.csv.xz").launches:
        found = stalls_of(launch)
        assert found is not None and found.selected_pct is not None
        assert sum(stall.share_pct for stall in found.reasons) + found.selected_pct == pytest.approx(100)
        assert all(stall.meaning for stall in found.reasons)


def test_a_basic_report_has_none() -> None:
    assert stalls_of(load(FIXTURES / "variants" / "basic.ncu-rep.xz").launches[0]) is None
    assert STALL.format("wait") not in load(FIXTURES / "variants" / "basic.ncu-rep.xz").launches[0].metrics.names()
