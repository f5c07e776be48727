"""Faster, slower, the same or not to be told: cases as (base times, new times) in microseconds."""

from __future__ import annotations

import math

import pytest
from compare_documents import diagnosis, kernel, launches
from hypothesis import given
from hypothesis import strategies as st

from ncuanalyze.compare import Options, Verdict, compare
from ncuanalyze.compare.noise import noise
from ncuanalyze.compare.spread import MEDIAN, RANGE, SINGLE, spread

CASES = [
    ("one launch each, twice as fast", [100], [50], Verdict.FASTER),
    ("one launch each, twice as slow", [100], [200], Verdict.SLOWER),
    ("one launch each, 4 % is within its noise", [100], [104], Verdict.SAME),
    ("one launch each, 7 % is beyond it", [100], [107], Verdict.SLOWER),
    (
        "several launches, 4 % is beyond the threshold",
        [100, 100.2, 99.9],
        [104, 104.2, 104.4],
        Verdict.SLOWER,
    ),
    ("several launches, 2.9 % is not", [100, 100, 100], [102.9, 102.9, 102.9], Verdict.SAME),
    ("several launches, exactly the threshold is not", [100, 100, 100], [103, 103, 103], Verdict.SAME),
    ("several launches, overlapping", [100, 110, 90], [111, 92, 108, 109], Verdict.INCONCLUSIVE),
    (
        "several launches, too far apart to see anything",
        [50, 100, 150],
        [60, 101, 140, 101],
        Verdict.INCONCLUSIVE,
    ),
    ("launch by launch faster although the pools overlap", [10, 100, 40], [8, 80, 32], Verdict.FASTER),
    ("launch by launch mixed", [10, 100, 40], [8, 130, 32], Verdict.INCONCLUSIVE),
    ("one launch against many", [100], [93, 93.1, 92.9, 93, 93.2, 93], Verdict.FASTER),
    ("tiny kernels: a tick of the timer is no change", [1.568], [1.6], Verdict.SAME),
    ("no duration", [math.nan], [100], Verdict.INCONCLUSIVE),
    ("zero duration", [0], [100], Verdict.INCONCLUSIVE),
]


@pytest.mark.parametrize(("base", "new", "verdict"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_verdict(base: list[float], new: list[float], verdict: Verdict) -> None:
    result = compare([diagnosis(*launches(base))], [diagnosis(*launches(new))])
    assert result.kernels[0].verdict is verdict, result.kernels[0].reason


def test_a_missing_duration_is_not_zero() -> None:
    result = compare([diagnosis(kernel(duration_ns=None))], [diagnosis(kernel())])
    (only,) = result.kernels
    assert only.verdict is Verdict.INCONCLUSIVE
    assert only.reason == "the base side has no duration above zero"
    assert (only.change_pct, only.speedup, result.total.change_pct) == (None, None, None)


@pytest.mark.parametrize(("threshold", "verdict"), [(3.0, Verdict.SLOWER), (10.0, Verdict.SAME)])
def test_the_threshold_is_the_users(threshold: float, verdict: Verdict) -> None:
    base, new = [diagnosis(*launches([100, 100, 100]))], [diagnosis(*launches([108, 108, 108]))]
    assert compare(base, new, Options(threshold_pct=threshold)).kernels[0].verdict is verdict


def test_runs_count_as_samples_not_their_launches() -> None:
    runs = [diagnosis(*launches([time, time, time * 1.4])) for time in (100, 101, 99)]
    side = compare(runs, runs).kernels[0].base
    assert side.spread is not None
    assert (side.spread.samples, side.spread.runs, side.launches) == (3, 3, 9)
    assert side.spread.maximum_ns == 101_000


@pytest.mark.parametrize(
    ("samples", "interval", "low", "high"),
    [
        ([100.0], SINGLE, 66.75, 133.25),
        ([1, 2, 3, 4, 5], RANGE, 1, 5),
        ([1, 2, 3, 4, 5, 6], MEDIAN, 1, 6),
        (list(range(1, 10)), MEDIAN, 2, 8),
        (list(range(1, 21)), MEDIAN, 6, 15),
    ],
)
def test_the_interval_follows_the_number_of_samples(
    samples: list[float], interval: str, low: float, high: float
) -> None:
    found = spread(samples, noise())
    assert (found.interval, found.low_ns, found.high_ns) == (interval, low, high)


@given(st.lists(st.floats(1, 1e9), min_size=1, max_size=40))
def test_the_median_lies_within_its_interval(samples: list[float]) -> None:
    found = spread(samples, noise())
    assert found.minimum_ns <= found.median_ns <= found.maximum_ns
    assert found.low_ns <= found.median_ns <= found.high_ns


@given(st.lists(st.floats(1e3, 1e9), min_size=1, max_size=12))
def test_a_side_against_itself_is_never_faster_or_slower(times: list[float]) -> None:
    side = [diagnosis(*(kernel(duration_ns=time) for time in times))]
    assert compare(side, side).kernels[0].verdict in (Verdict.SAME, Verdict.INCONCLUSIVE)


@given(st.floats(1e4, 1e8), st.floats(0.2, 5))
def test_swapping_the_sides_swaps_the_verdict(time: float, ratio: float) -> None:
    one, other = [diagnosis(kernel(duration_ns=time))], [diagnosis(kernel(duration_ns=time * ratio))]
    there, back = compare(one, other).kernels[0], compare(other, one).kernels[0]
    if there.verdict is Verdict.FASTER and abs(back.change_pct or 0) > back.threshold_pct:
        assert back.verdict is Verdict.SLOWER
    assert (there.speedup or 0) * (back.speedup or 0) == pytest.approx(1)
