"""Levels of a series: real steps are found, noise and single outliers are not."""

from __future__ import annotations

import math
import random
import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ncuanalyze.history import KernelRow, change_points, trend_of
from ncuanalyze.history.change_points import _costs


def noisy(levels: list[tuple[float, int]], deviation: float = 0.007, seed: int = 1) -> list[float]:
    """Times around each (level, number of runs), log-normal."""
    dice = random.Random(seed)
    return [level * math.exp(dice.gauss(0, deviation)) for level, count in levels for _ in range(count)]


CASES = [
    ("steady", [(100.0, 30)], []),
    ("one step up", [(100.0, 15), (110.0, 15)], [15]),
    ("one step down, three runs ago", [(100.0, 17), (90.0, 3)], [17]),
    ("up and back", [(100.0, 10), (130.0, 10), (100.0, 10)], [10, 20]),
    ("a step below the threshold", [(100.0, 20), (101.0, 20)], []),
    ("one outlier", [(100.0, 8), (300.0, 1), (100.0, 11)], []),
    ("a step two runs ago", [(100.0, 18), (200.0, 2)], [18]),
    ("a last run apart is not yet a level", [(100.0, 19), (200.0, 1)], []),
    ("too short to say", [(100.0, 2), (200.0, 3)], []),
    ("shortest that can say", [(100.0, 3), (200.0, 3)], [3]),
]


@pytest.mark.parametrize(("levels", "cuts"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_cuts(levels: list[tuple[float, int]], cuts: list[int]) -> None:
    assert change_points(noisy(levels)) == cuts


@pytest.mark.parametrize("times", [[], [1.0], [100.0] * 40, [0.0] * 10, [1.0] * 9 + [0.0]])
def test_short_flat_and_zero_series_have_none(times: list[float]) -> None:
    assert change_points(times) == []


@pytest.mark.parametrize("deviation", [0.001, 0.007, 0.02])
def test_noise_alone_makes_few_changes(deviation: float) -> None:
    alarms = sum(bool(change_points(noisy([(100.0, 20)], deviation, seed))) for seed in range(100))
    assert alarms <= 8


@pytest.mark.parametrize(("deviation", "step", "at_least"), [(0.007, 1.05, 98), (0.02, 1.2, 90)])
def test_steps_are_found_where_they_are(deviation: float, step: float, at_least: int) -> None:
    series = [noisy([(100.0, 15), (100.0 * step, 5)], deviation, seed) for seed in range(100)]
    assert sum(change_points(times) == [15] for times in series) >= at_least


@given(st.lists(st.floats(-5, 5), min_size=1, max_size=12))
def test_costs_are_the_absolute_deviations_from_the_median(values: list[float]) -> None:
    table = _costs(values)
    for start in range(len(values)):
        for length in range(1, len(values) - start + 1):
            part = values[start : start + length]
            middle = statistics.median(part)
            assert table[start][length] == pytest.approx(sum(abs(value - middle) for value in part), abs=1e-9)


@given(st.lists(st.floats(0.99, 1.01), min_size=8, max_size=15), st.floats(1.5, 10), st.floats(1e-3, 1e3))
def test_the_unit_of_time_does_not_matter(noise: list[float], jump: float, scale: float) -> None:
    times = [100 * value for value in noise] + [100 * jump * value for value in noise]
    assert change_points(times) == change_points([scale * time for time in times]) == [len(noise)]


def row(commit: str, time_us: float | None, bound: str = "memory", name: str = "gemm") -> KernelRow:
    return KernelRow(
        commit=commit,
        branch="main",
        at=f"2026-01-{commit:0>2}",
        file="r",
        gpu="H200",
        name=name,
        nvtx="",
        grid="1",
        block="1",
        launches=1,
        duration_ns=time_us and 1e3 * time_us,
        total_ns=None,
        cycles=None,
        bound=bound,
        limiter="",
    )


def test_a_trend_names_the_commit_the_size_and_the_bound_of_a_change() -> None:
    rows = [row(str(day), 100) for day in range(1, 9)] + [row(str(day), 150, "latency") for day in range(9, 13)]
    trend = trend_of([*rows, row("12", None, name="failed"), row("12", 5, name="other")], branch="main")
    changed, other = trend.series
    assert (trend.runs, changed.name, other.name) == (12, "gemm", "other")
    (found,) = changed.changes
    assert (found.commit, found.before, found.place, found.bound_moved) == ("9", "8", 8, "memory to latency")
    assert found.change_pct == pytest.approx(50)
    assert [(level.first, level.last, level.median_ns) for level in changed.levels] == [
        (0, 7, 1e5),
        (8, 11, 1.5e5),
    ]
    assert (len(other.levels), other.changes) == (1, ())
