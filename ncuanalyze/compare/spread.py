"""The distribution of a kernel's duration, and the interval that a verdict may rest on."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence

from ncuanalyze.compare.comparison import Spread
from ncuanalyze.compare.launches import Group
from ncuanalyze.compare.noise import Noise

RANGE = "range of all samples"
MEDIAN = "95% confidence interval of the median"
SINGLE = "one launch, give or take the usual noise"


def spread_of(group: Group, noise: Noise) -> Spread | None:
    """The spread over launches, or over the medians of runs where several runs hold the kernel."""
    by_run = group.durations_by_run
    if not by_run:
        return None
    samples = [statistics.median(times) for times in by_run] if len(by_run) > 1 else by_run[0]
    return spread(samples, noise, runs=len(by_run))


def spread(samples: Sequence[float], noise: Noise, runs: int = 1) -> Spread:
    """The spread of at least one duration in ns.

    The interval is the distribution-free 95 % confidence interval of the median (order statistics; Le
    Boudec, Performance Evaluation of Computer and Communication Systems, 2010; Hoefler and Belli, SC'15).
    It exists from six samples on; below that the range stands for it, and for one sample the noise of a
    single launch.
    """
    ordered = sorted(samples)
    low, high, interval = _interval(ordered, noise)
    return Spread(
        samples=len(ordered),
        runs=runs,
        minimum_ns=ordered[0],
        median_ns=statistics.median(ordered),
        maximum_ns=ordered[-1],
        low_ns=low,
        high_ns=high,
        interval=interval,
    )


def single_launch_pct(duration_ns: float, noise: Noise) -> float:
    """What the difference of two single launches of this duration may show without any cause, in %."""
    tick = 100.0 * 2 * noise.timer_tick_ns / duration_ns if duration_ns > 0 else math.inf
    return noise.single_launch_pct + tick


def _interval(ordered: Sequence[float], noise: Noise) -> tuple[float, float, str]:
    count = len(ordered)
    if count == 1:
        only = ordered[0]
        half = only * noise.single_launch_pct / 200.0 + noise.timer_tick_ns
        return max(0.0, only - half), only + half, SINGLE
    outside = _ranks_outside(count)
    if outside is None:
        return ordered[0], ordered[-1], RANGE
    return ordered[outside], ordered[count - 1 - outside], MEDIAN


def _ranks_outside(count: int) -> int | None:
    """How many samples to leave out at each end so that the rest still covers the median with 95 %.

    P(fewer than k of n samples lie below the median) is the binomial tail with p = 1/2.
    """
    tail, outside = 0.0, None
    for rank in range(count // 2):
        tail += math.comb(count, rank) / 2.0**count
        if 2 * tail > 0.05:
            break
        outside = rank
    return outside
