"""The first number that a metric has under any of its names."""

from __future__ import annotations

from ncuanalyze.metrics import MetricRef
from ncuanalyze.profile import KernelLaunch


def first_number(launch: KernelLaunch, ref: MetricRef) -> float | None:
    """The finite value in the metric's base unit, or None."""
    for name in ref.names:
        value = launch.number(name)
        if value is not None:
            return value
    return None


def first_name(launch: KernelLaunch, ref: MetricRef) -> str:
    """The name under which the value stands in this report; the preferred name where it stands under none."""
    return next((name for name in ref.names if launch.number(name) is not None), ref.name)
