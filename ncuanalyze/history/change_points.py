"""Where a series of times changed for good: optimal partitioning with a robust cost.

The series of logarithms is cut into segments so that the sum of absolute deviations from each segment's
median, over the noise of the series, plus a penalty for each cut is least: the exact dynamic programme of
Jackson et al. (An algorithm for optimal partitioning of data on an interval, IEEE Signal Processing Letters
12, 2005; Killick, Fearnhead and Eckley, JASA 107, 2012) with the least-absolute-deviation cost of Bai (LAD
estimation of a shift, Econometric Theory 11, 1995) and Schwarz's penalty (Yao, Statistics and Probability
Letters 6, 1988). It has no random part. Absolute deviations and segments of at least three runs keep a
single outlier from making a change.
"""

from __future__ import annotations

import itertools
import math
import statistics
from bisect import insort
from collections.abc import Sequence

from ncuanalyze.compare.noise import noise

SHORTEST = 3
PENALTY_PARAMETERS = 3.0
"""Parameters that a cut pays for: its place, which counts twice where it is searched for, and the new median."""
NORMAL_DEVIATION = math.sqrt(2 / math.pi)
"""Mean absolute deviation of a normal variable with standard deviation 1."""
NORMAL_MEDIAN = 0.6745
"""Median absolute value of the same variable."""


def change_points(times: Sequence[float], *, threshold_pct: float | None = None) -> list[int]:
    """The places at which a new level begins, in order; empty for short or steady series.

    Times must be positive. Changes of less than the threshold between neighbouring levels are taken back.
    """
    if len(times) < 2 * SHORTEST or min(times) <= 0:
        return []
    logs = [math.log(time) for time in times]
    costs = _costs(logs)
    cuts = _moved_home(_optimal(costs, _noise(logs), PENALTY_PARAMETERS * math.log(len(logs))), costs)
    limit = math.log1p((noise().threshold_pct if threshold_pct is None else threshold_pct) / 100.0)
    return _without_small(logs, cuts, limit)


def segments(count: int, cuts: Sequence[int]) -> list[tuple[int, int]]:
    """(first, end) of every level, the end not included."""
    edges = [0, *cuts, count]
    return list(itertools.pairwise(edges))


def _noise(logs: Sequence[float]) -> float:
    """The mean absolute deviation within levels, from differences of neighbours; at least ncu's own noise.

    Differences see a change of level once; their median does not see it at all. Of few differences the
    median is low about as often as high: the estimate is widened by their number.
    """
    steps = [abs(after - before) for before, after in itertools.pairwise(logs)]
    deviation = statistics.median(steps) / (NORMAL_MEDIAN * math.sqrt(2))
    return NORMAL_DEVIATION * max(deviation * (1 + 2 / len(steps)), _floor())


def _floor() -> float:
    """The standard deviation of one duration, from the noise of a difference of two (t(6) = 2.447)."""
    return noise().single_launch_pct / 100.0 / (2.447 * math.sqrt(2))


def _optimal(costs: Sequence[Sequence[float]], scale: float, penalty: float) -> list[int]:
    """The exact best cuts: best[end] = min over starts of best[start] + cost(start, end) + penalty."""
    count = len(costs)
    best = [-penalty] + [math.inf] * count
    came_from = [0] * (count + 1)
    for end in range(SHORTEST, count + 1):
        for start in range(0, end - SHORTEST + 1):
            if best[start] == math.inf:
                continue
            total = best[start] + 2.0 * costs[start][end - start] / scale + penalty
            if total < best[end]:
                best[end], came_from[end] = total, start
    cuts, end = [], came_from[count]
    while end > 0:
        cuts.append(end)
        end = came_from[end]
    return cuts[::-1]


def _moved_home(cuts: Sequence[int], costs: Sequence[Sequence[float]]) -> list[int]:
    """Each cut at its best place between its neighbours, without the least length that finding it needed."""
    home = list(cuts)
    for index, _ in enumerate(home):
        first = home[index - 1] if index else 0
        end = home[index + 1] if index + 1 < len(home) else len(costs)
        places = range(first + 1, end)
        home[index] = min(places, key=lambda place: costs[first][place - first] + costs[place][end - place])
    return home


def _costs(logs: Sequence[float]) -> list[list[float]]:
    """costs[start][length]: the sum of absolute deviations from the median of every stretch."""
    table = []
    for start in range(len(logs)):
        ordered: list[float] = []
        row, total = [0.0], 0.0
        for value in logs[start:]:
            total += _added(ordered, value)
            row.append(total)
        table.append(row)
    return table


def _added(ordered: list[float], value: float) -> float:
    """Insert a value; how much the sum of absolute deviations from the median grows.

    With a median of the old values that is nearest to the new one, the old sum stays and |value - median|
    is added.
    """
    count = len(ordered)
    if count == 0:
        insort(ordered, value)
        return 0.0
    low, high = ordered[(count - 1) // 2], ordered[count // 2]
    insort(ordered, value)
    return max(low - value, value - high, 0.0)


def _without_small(logs: Sequence[float], cuts: Sequence[int], limit: float) -> list[int]:
    """Take back the smallest change between neighbouring levels until all that are left exceed the limit."""
    kept = list(cuts)
    while kept:
        levels = [statistics.median(logs[first:end]) for first, end in segments(len(logs), kept)]
        sizes = [abs(after - before) for before, after in itertools.pairwise(levels)]
        smallest = min(range(len(sizes)), key=sizes.__getitem__)
        if sizes[smallest] > limit:
            break
        del kept[smallest]
    return kept
