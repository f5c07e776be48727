"""Every metric of a launch, for the reader who wants to look one up."""

from __future__ import annotations

from collections.abc import Sequence

from ncuanalyze.diagnosis import MetricValue
from ncuanalyze.profile import Absence, KernelLaunch

NAME_LISTS = ("breakdown:", "group:")


def metric_values(launch: KernelLaunch) -> tuple[MetricValue, ...]:
    """The metrics by name, in base units; a missing value comes with its reason.

    Left out, because they say nothing more: lists of other metrics' names, and the rates and shares of a counter
    whose sum is zero.
    """
    names = sorted(name for name in launch.metrics.names() if not name.startswith(NAME_LISTS))
    return tuple(_value(launch, name) for name in _without_rates_of_nothing(launch, names))


def _without_rates_of_nothing(launch: KernelLaunch, names: Sequence[str]) -> list[str]:
    zero = {
        stem for name in names if name.endswith(".sum") and launch.number(name) == 0 for stem in [name[:-3]]
    }
    return [name for name in names if name.endswith(".sum") or f"{name.partition('.')[0]}." not in zero]


def _value(launch: KernelLaunch, name: str) -> MetricValue:
    metrics = launch.metrics
    value, missing = metrics.raw(name), ""
    if value is None:
        missing = Absence.NO_VALUE.value
    elif not isinstance(value, str) and value - value != 0:
        value, missing = None, Absence.NOT_A_NUMBER.value
    return MetricValue(name=name, value=value, unit=metrics.unit(name), missing=missing)
