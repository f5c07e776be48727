"""Which metrics of a launch are listed, and how missing ones are."""

from __future__ import annotations

import math

import pytest

from ncuanalyze.analysis.metric_values import metric_values
from ncuanalyze.profile import Device, KernelLaunch, MetricTable, Value


def listed(values: dict[str, Value | None]) -> dict[str, tuple[Value | None, str, str]]:
    table = MetricTable(values=values, units=dict.fromkeys(values, "byte"))
    launch = KernelLaunch(id="0", name="k", demangled="k", device=Device(), metrics=table)
    return {metric.name: (metric.value, metric.unit, metric.missing) for metric in metric_values(launch)}


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (1.5, (1.5, "byte", "")),
        (0.0, (0.0, "byte", "")),
        ("text", ("text", "byte", "")),
        (None, (None, "byte", "collected, but without a value")),
        (math.nan, (None, "byte", "collected, but NaN or infinite")),
        (math.inf, (None, "byte", "collected, but NaN or infinite")),
    ],
)
def test_a_value_or_the_reason_it_is_missing(
    value: Value | None, shown: tuple[Value | None, str, str]
) -> None:
    assert listed({"m": value}) == {"m": shown}


def test_rates_of_a_counter_of_zero_are_left_out() -> None:
    values: dict[str, Value | None] = {
        "zero.sum": 0.0,
        "zero.sum.per_second": 0.0,
        "zero.avg": 0.0,
        "zeroth.avg": 3.0,
        "some.sum": 2.0,
        "some.sum.per_second": 1.0,
        "some.avg": math.nan,
        "lone.avg.pct_of_peak_sustained_elapsed": 0.0,
    }
    assert list(listed(values)) == [
        "lone.avg.pct_of_peak_sustained_elapsed",
        "some.avg",
        "some.sum",
        "some.sum.per_second",
        "zero.sum",
        "zeroth.avg",
    ]


def test_lists_of_names_are_left_out() -> None:
    assert listed({"breakdown:sm__throughput": "a,b", "group:x": "a", "m": 1.0}).keys() == {"m"}
