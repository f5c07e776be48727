"""The gain model: what a fix is worth, from unit loads and what the fix changes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ncuanalyze.analysis.gain import Effect, constants, covered, next_roof, speedup
from ncuanalyze.analysis.speed_of_light import Load
from ncuanalyze.analysis.unit_table import UnitCounter

LONG_NS = 1e9
NOTHING = Effect()


def load(unit: str, busy: float, sustained_pct: float = 100, side: str = "memory", name: str = "") -> Load:
    counter = UnitCounter(
        name=name or f"{unit}__counter",
        unit=unit,
        side=side,
        sustained_pct=sustained_pct,
        measured=True,
        source="made up",
    )
    return Load(counter=counter, busy=busy, unit=unit)


def estimate(loads: list[Load], effect: Effect, duration_ns: float = LONG_NS) -> float:
    return speedup(loads, effect, duration_ns).estimate


def test_halving_the_work_of_the_limiting_unit_doubles_the_speed() -> None:
    assert estimate([load("dram", 1.0)], Effect(removes={"unit:dram": 0.5})) == pytest.approx(2)


def test_the_next_unit_stops_the_gain() -> None:
    loads = [load("dram", 1.0), load("l2", 0.8)]
    assert estimate(loads, Effect(removes={"unit:dram": 0.9})) == pytest.approx(1.25)
    assert next_roof(loads, Effect(removes={"unit:dram": 0.9})) is loads[1]


def test_the_next_unit_counts_by_what_it_sustains() -> None:
    loads = [load("dram", 1.0), load("l2", 0.6, sustained_pct=80)]
    assert estimate(loads, Effect(removes={"unit:dram": 0.9})) == pytest.approx(1 / 0.75)


def test_a_waste_that_no_unit_waits_for_gains_nothing() -> None:
    assert estimate([load("dram", 1.0), load("fma", 0.5)], Effect(removes={"unit:fma": 1.0})) == 1


def test_exposed_time_stays_where_the_fix_does_not_hide_it() -> None:
    loads = [load("dram", 0.5)]
    assert estimate(loads, Effect(removes={"unit:dram": 0.5})) == pytest.approx(1 / 0.75)
    assert estimate(loads, Effect(removes={"unit:dram": 0.5}, exposed=1.0)) == pytest.approx(4)


def test_a_freed_latency_ends_at_the_knee() -> None:
    gain = speedup([load("dram", 0.2)], Effect(exposed=1.0, latency=True), LONG_NS)
    knee = constants()["knee"]
    assert (gain.low, gain.estimate, gain.high) == pytest.approx(
        (knee["low"] / 0.2, knee["estimate"] / 0.2, knee["high"] / 0.2)
    )


def test_what_the_busy_sms_reach_is_reached_by_the_others() -> None:
    effect = Effect(exposed=1.0, at_least=(0.5,), latency=True, spreads=True, reached=1.0)
    gain = speedup([load("fma", 0.5)], effect, LONG_NS)
    assert gain.low == pytest.approx(1.2)
    assert gain.estimate == gain.high == pytest.approx(2)


def test_work_that_moves_to_another_unit_is_paid_there() -> None:
    loads = [load("host", 1.0), load("dram", 0.1)]
    moved = Effect(removes={"unit:host": 1.0}, adds={"dram__counter": 0.4})
    assert estimate(loads, moved) == pytest.approx(2)


def test_a_floor_of_the_new_time_holds() -> None:
    assert estimate([load("dram", 0.1)], Effect(exposed=1.0, at_least=(0.5,), latency=True)) == pytest.approx(2)


def test_serial_time_is_added() -> None:
    loads = [load("dram", 0.5)]
    assert estimate(loads, Effect(exposed=1.0, serial=0.5)) == 1
    assert estimate(loads, Effect(exposed=1.0, serial=0.3)) == pytest.approx(1 / 0.8)


def test_a_kernel_cannot_run_faster_than_an_empty_one() -> None:
    floor = constants()["launch_floor_ns"]["value"]
    fix = Effect(removes={"unit:dram": 1.0})
    assert estimate([load("dram", 1.0)], fix, 4 * floor) == pytest.approx(4)
    assert estimate([load("dram", 1.0)], fix, floor / 2) == 1


@pytest.mark.parametrize("duration_ns", [0.0, -1.0])
def test_without_a_duration_nothing_is_gained(duration_ns: float) -> None:
    assert estimate([load("dram", 1.0)], Effect(removes={"unit:dram": 1.0}), duration_ns) == 1


def test_a_counter_is_named_before_its_unit_and_before_all() -> None:
    loads = [load("l1tex", 1.0, name="l1tex__a"), load("l1tex", 0.9, name="l1tex__b"), load("fma", 0.8)]
    assert estimate(loads, Effect(removes={"l1tex__a": 0.0, "unit:l1tex": 1.0, "all": 1.0})) == 1
    assert estimate(loads, Effect(removes={"unit:l1tex": 1.0})) == pytest.approx(1.25)
    assert estimate(loads, Effect(removes={"all": 0.5})) == pytest.approx(2)


def test_ignored_units_are_no_roof() -> None:
    loads = [load("tensor", 0.4), load("l2", 0.9)]
    reshaped = Effect(exposed=1.0, ignores=frozenset(("l2",)), latency=True)
    assert estimate(loads, reshaped) == pytest.approx(0.8 / 0.4)


def test_a_units_own_throughput_is_a_roof_for_a_fix_that_leaves_the_unit_alone() -> None:
    loads = [load("l2", 1.0, side="own", name="lts__throughput"), load("issue", 0.6, side="sm")]
    assert estimate(loads, Effect(removes={"unit:issue": 0.5})) == 1


def test_a_units_own_throughput_is_no_roof_for_a_fix_of_its_work_or_of_latency() -> None:
    loads = [load("l2", 0.95, side="own", name="lts__throughput"), load("l2", 0.6, name="lts__t_sectors")]
    assert estimate(loads, Effect(removes={"lts__t_sectors": 0.5}, exposed=1.0)) > 1.5
    assert estimate(loads, Effect(exposed=1.0, latency=True)) == pytest.approx(0.8 / 0.6)


def test_without_loads_no_time_is_covered() -> None:
    assert covered([]) == 0
    assert next_roof([], NOTHING) is None


SHARES = st.floats(0, 1)
LOADS = st.lists(
    st.builds(
        load,
        st.sampled_from(["dram", "l2", "l1tex", "shared", "fma", "issue", "tensor"]),
        st.floats(0, 1.05),
        sustained_pct=st.floats(50, 100),
        side=st.sampled_from(["sm", "memory", "own"]),
    ),
    max_size=8,
)
EFFECTS = st.builds(
    Effect,
    removes=st.dictionaries(st.sampled_from(["unit:dram", "unit:l2", "unit:issue", "all"]), SHARES),
    exposed=SHARES,
    serial=st.floats(0, 0.5),
    latency=st.booleans(),
)


@given(LOADS, EFFECTS, st.floats(0, 1e12))
def test_a_gain_is_never_a_loss_and_lies_in_its_interval(
    loads: list[Load], effect: Effect, duration_ns: float
) -> None:
    gain = speedup(loads, effect, duration_ns)
    assert 1 <= gain.low <= gain.estimate <= gain.high


@given(LOADS, st.booleans())
def test_a_fix_that_changes_nothing_gains_nothing(loads: list[Load], latency: bool) -> None:
    assert estimate(loads, Effect(latency=latency)) == pytest.approx(1)


@given(LOADS, EFFECTS)
def test_no_gain_passes_the_busiest_unit_that_stays(loads: list[Load], effect: Effect) -> None:
    roof = next_roof(loads, effect)
    if roof is not None and roof.unit not in ("dram", "l2", "issue") and "all" not in effect.removes:
        assert speedup(loads, effect, LONG_NS).high <= 1 / max(min(roof.busy, 1.0), 1e-9) * (1 + 1e-9)


@given(LOADS, SHARES, SHARES)
def test_removing_more_never_gains_less(loads: list[Load], first: float, second: float) -> None:
    low, high = sorted((first, second))
    gains = [estimate(loads, Effect(removes={"all": share}, exposed=share)) for share in (low, high)]
    assert gains[0] <= gains[1] * (1 + 1e-9)
