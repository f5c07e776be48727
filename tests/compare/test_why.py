"""Why the time changed: work against rate, the bound that moved, findings, and promises kept or not."""

from __future__ import annotations

import json

import pytest
from compare_documents import diagnosis, finding, instructions, kernel, units
from hypothesis import given
from hypothesis import strategies as st

from ncuanalyze.compare import Comparison, Fate, Why, compare, comparison_from_dict
from ncuanalyze.diagnosis import (
    Bound,
    KernelDiagnosis,
    Memory,
    MemoryLevel,
    Occupancy,
    Stall,
    Stalls,
    to_dict,
)
from ncuanalyze.errors import UnreadableReport


def why(base: KernelDiagnosis, new: KernelDiagnosis) -> Why:
    found = compare([diagnosis(base)], [diagnosis(new)]).kernels[0].why
    assert found is not None
    return found


def dram(gigabytes: float) -> Memory:
    return Memory(levels=(MemoryLevel(level="dram", bytes=gigabytes * 1e9),))


def test_less_work_at_the_same_rate_is_work() -> None:
    """A quarter of the L1TEX work at an equal utilisation: four times as fast."""
    found = why(
        kernel(duration_ns=1e6, limiter="l1tex", speed_of_light=units(l1tex=90)),
        kernel(duration_ns=25e4, limiter="dram", speed_of_light=units(l1tex=90, dram=91)),
    )
    (row,) = found.work_rates
    assert (row.name, row.kind, row.work_ratio, row.rate_ratio) == ("l1tex", "busy", 0.25, 1.0)
    assert row.work_share_pct == pytest.approx(100)
    assert found.main == "l1tex"
    assert found.sentence == (
        "less work: L1TEX had 0.25x the work, at 1x the rate (90% to 90% of its peak); limiter moved from l1tex to dram"
    )


def test_the_same_bytes_faster_is_rate() -> None:
    found = why(
        kernel(duration_ns=1.2e6, limiter="dram", memory=dram(1), speed_of_light=units(dram=10)),
        kernel(duration_ns=1.2e5, limiter="dram", memory=dram(1), speed_of_light=units(dram=100)),
    )
    by_name = {row.name: row for row in found.work_rates}
    assert by_name["DRAM bytes"].work_ratio == 1.0
    assert by_name["DRAM bytes"].work_share_pct == pytest.approx(0)
    assert by_name["DRAM bytes"].rate_ratio == pytest.approx(10)
    assert found.sentence.startswith("a higher rate: DRAM did 1x the work at 10x the rate (10% to 100% of its peak)")


def test_a_kernel_without_limiter_is_explained_by_its_instructions() -> None:
    found = why(
        kernel(duration_ns=2e5, metrics=instructions(4e6), speed_of_light=units(fma=20)),
        kernel(duration_ns=1e5, metrics=instructions(2e6), speed_of_light=units(fma=20)),
    )
    assert found.main == "instructions"
    assert found.sentence.startswith("less work: it had 0.5x the instructions, at 1x the rate")


def test_more_work_on_the_slower_side_is_seen_from_it() -> None:
    found = why(
        kernel(duration_ns=1e5, limiter="fma", speed_of_light=units(fma=90, l2=20)),
        kernel(duration_ns=4e5, limiter="l2", speed_of_light=units(l2=80, fma=22.5)),
    )
    assert found.main == "l2"
    assert found.sentence.startswith("more work: L2 had 16x the work, at 4x the rate")


@given(st.floats(1e3, 1e9), st.floats(1e3, 1e9), st.floats(0.1, 100), st.floats(0.1, 100))
def test_work_over_rate_is_time(base_ns: float, new_ns: float, base_pct: float, new_pct: float) -> None:
    (row,) = why(
        kernel(duration_ns=base_ns, speed_of_light=units(l2=base_pct)),
        kernel(duration_ns=new_ns, speed_of_light=units(l2=new_pct)),
    ).work_rates or (None,)
    if row is None:
        assert max(base_pct, new_pct) < 1
        return
    assert row.work_ratio / row.rate_ratio == pytest.approx(new_ns / base_ns)


@pytest.mark.parametrize("value", [0.0, float("nan"), float("inf")])
def test_work_that_is_zero_or_no_number_makes_no_row(value: float) -> None:
    found = why(kernel(metrics=instructions(value)), kernel(metrics=instructions(1e6)))
    assert found.work_rates == ()


def test_counters_on_one_side_only_explain_nothing() -> None:
    found = why(kernel(speed_of_light=units(l2=50)), kernel(duration_ns=5e4))
    assert found.sentence == "no counter that would explain the change is on both sides"


def test_bound_and_limiter_that_moved_are_said() -> None:
    found = why(kernel(bound=Bound.LATENCY), kernel(duration_ns=5e4, bound=Bound.COMPUTE, limiter="fma"))
    assert (found.bound_moved, found.limiter_moved) == (True, True)
    assert "bound moved from latency to compute, limiter moved from none to fma" in found.sentence


def test_quantities_that_moved_are_listed_and_others_are_not() -> None:
    def side(regs: float, achieved: float, stall: float) -> KernelDiagnosis:
        occupancy = Occupancy(theoretical_pct=50, achieved_pct=achieved, registers_per_thread=regs)
        reasons = (Stall(reason="long_scoreboard", cycles_per_issue=stall, share_pct=50),)
        stalls = Stalls(issue_active=0.5, latency_cycles=10, selected_pct=10, reasons=reasons, matter=True)
        return kernel(occupancy=occupancy, stalls=stalls)

    moved = {item.name: (item.base, item.new) for item in why(side(32, 40, 20), side(64, 41, 5)).moved}
    assert moved == {
        "registers per thread": (32, 64),
        "stall long_scoreboard per instruction": (20, 5),
    }


FATES = [
    ("gone", [finding("a", 2.0)], [], {"a": Fate.GONE}),
    ("new", [], [finding("a", 2.0)], {"a": Fate.NEW}),
    ("grown", [finding("a", 1.2)], [finding("a", 1.5)], {"a": Fate.GROWN}),
    ("shrunk", [finding("a", 2.0)], [finding("a", 1.2)], {"a": Fate.SHRUNK}),
    ("kept", [finding("a", 2.0)], [finding("a", 2.1)], {"a": Fate.KEPT}),
    ("kept without a gain", [finding("a", None)], [finding("a", None)], {"a": Fate.KEPT}),
    ("no cause, no change", [finding("a", 2.0, kind="verdict")], [], {}),
]


@pytest.mark.parametrize(("base", "new", "fates"), [case[1:] for case in FATES], ids=[case[0] for case in FATES])
def test_fates_of_findings(base: list, new: list, fates: dict[str, Fate]) -> None:  # type: ignore[type-arg]
    found = why(kernel(findings=tuple(base)), kernel(findings=tuple(new)))
    assert {item.id: item.fate for item in found.findings} == fates


@pytest.mark.parametrize(
    ("gain", "new_ns", "left", "outcome"),
    [
        (2.0, 50_000, None, "kept"),
        (2.0, 41_667, None, "kept"),
        (2.0, 80_000, None, "less"),
        (2.0, 20_000, None, "more"),
        (2.0, 100_000, 2.0, "not taken"),
    ],
)
def test_promise_against_measurement(gain: float, new_ns: float, left: float | None, outcome: str) -> None:
    new = () if left is None else (finding("a", left),)
    found = why(kernel(findings=(finding("a", gain),)), kernel(duration_ns=new_ns, findings=new)).promise
    assert found is not None
    assert (found.id, found.outcome) == ("a", outcome)
    assert found.measured == pytest.approx(100_000 / new_ns)


def test_the_highest_promise_taken_is_shown_and_the_others_named() -> None:
    base = kernel(findings=(finding("small", 1.2), finding("large", 3.0), finding("still", 9.0)))
    found = why(base, kernel(duration_ns=3e4, findings=(finding("still", 9.0),))).promise
    assert found is not None
    assert (found.id, found.others) == ("large", ("small",))


def test_shares_and_contributions_add_up() -> None:
    base = diagnosis(kernel("a", 6e5), kernel("b", 4e5))
    new = diagnosis(kernel("a", 3e5), kernel("b", 4.5e5))
    result = compare([base], [new])
    shares = {item.name: (item.base_share_pct, item.contribution_pct) for item in result.kernels}
    assert shares == {
        "a": (pytest.approx(60), pytest.approx(120)),
        "b": (pytest.approx(40), pytest.approx(-20)),
    }
    assert result.total.change_pct == pytest.approx(-25)
    assert [item.name for item in result.kernels] == ["a", "b"]


def test_totals_of_runs_with_another_number_of_launches_are_scaled() -> None:
    result = compare(
        [diagnosis(kernel("a", 1e5), kernel("b", 1e5))],
        [diagnosis(*[kernel("a", 1e5)] * 3, *[kernel("b", 1e5)] * 3)],
    )
    assert result.total.change_pct == pytest.approx(0)
    assert "scaled by 0.333" in result.total.note


def test_a_comparison_survives_json() -> None:
    base = kernel(duration_ns=1e6, findings=(finding("a", 2.0, line=7),), speed_of_light=units(l2=90))
    result = compare([diagnosis(base, kernel("gone"))], [diagnosis(kernel(duration_ns=5e5), kernel("fresh"))])
    text = json.dumps(to_dict(result), allow_nan=False)
    assert comparison_from_dict(json.loads(text)) == result


@pytest.mark.parametrize(
    "data", [None, [], {}, {"schema": "ncuanalyze.diagnosis/1"}, {"schema": "ncuanalyze.comparison/1"}]
)
def test_other_json_is_no_comparison(data: object) -> None:
    with pytest.raises(UnreadableReport) as error:
        comparison_from_dict(data)
    assert error.value.hint


def test_the_whole_is_faster_when_its_sum_is() -> None:
    result: Comparison = compare(
        [diagnosis(kernel("a", 9e6), kernel("b", 1e4))], [diagnosis(kernel("a", 5e6), kernel("b", 2e4))]
    )
    assert (result.verdict, [k.verdict for k in result.kernels]) == ("faster", ["faster", "slower"])
