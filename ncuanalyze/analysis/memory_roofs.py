"""The memory roofs of a launch: what each level moved and what it can move."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ncuanalyze.analysis.counter import Counter, Peak
from ncuanalyze.analysis.roofline_data import roofline_data
from ncuanalyze.profile import KernelLaunch
from ncuanalyze.record import record

BITS_PER_BYTE = 8
TRANSFERS_PER_CLOCK = 2  # of the memory clock in ncu's device attributes (double data rate)


@record
class Traffic:
    """Bytes that one level moved over the launch and its ceiling. None: the report does not say."""

    level: str  # dram | l2 | l1
    name: str
    bytes: float | None
    bytes_per_s: float | None
    peak: Peak | None
    missing: str = ""

    @property
    def pct(self) -> float | None:
        """The share of the ceiling, 0-100."""
        if self.bytes_per_s is None or self.peak is None:
            return None
        return 100 * self.bytes_per_s / self.peak.per_s


def memory_traffic(launch: KernelLaunch) -> tuple[Traffic, ...]:
    """DRAM, L2 and L1, with the reason where one is missing."""
    return tuple(_traffic(launch, rule) for rule in roofline_data()["level"])


def _traffic(launch: KernelLaunch, rule: dict[str, Any]) -> Traffic:
    counters, scale = _collected(launch, rule)
    peak = _peak(counters, scale) or (_dram_peak(launch) if rule["level"] == "dram" else None)
    return Traffic(
        level=rule["level"],
        name=rule["name"],
        bytes=_total([counter.total() for counter in counters], scale),
        bytes_per_s=_total([counter.per_s() for counter in counters], scale),
        peak=peak,
        missing="" if counters and peak else _reason(launch, rule, counters),
    )


def _collected(launch: KernelLaunch, rule: dict[str, Any]) -> tuple[Sequence[Counter], float]:
    for source in rule["traffic"]:
        counters = [Counter(launch, name) for name in source["counters"]]
        if all(counter.total() is not None for counter in counters):
            return counters, source["bytes"]
    return (), 1.0


def _total(values: Sequence[float | None], scale: float) -> float | None:
    known = [value for value in values if value is not None]
    return scale * sum(known) if known and len(known) == len(values) else None


def _peak(counters: Sequence[Counter], scale: float) -> Peak | None:
    return counters[0].peak(scale=scale, unit_of_work="byte") if len(counters) == 1 else None


def _dram_peak(launch: KernelLaunch) -> Peak | None:
    """The memory's data rate: clock of the device attributes, two transfers a clock, times the bus width."""
    clock_khz = launch.number("device__attribute_memory_clock_rate")
    bus_bits = launch.number("device__attribute_global_memory_bus_width")
    if not clock_khz or not bus_bits:
        return None
    hz = clock_khz * 1e3
    return Peak(
        per_s=hz * TRANSFERS_PER_CLOCK * bus_bits / BITS_PER_BYTE,
        formula=f"memory clock ({hz / 1e9:.4g} GHz) × {TRANSFERS_PER_CLOCK} × bus ({bus_bits:.0f} bit)",
        counters=("device__attribute_memory_clock_rate", "device__attribute_global_memory_bus_width"),
        clock_hz=hz,
    )


def _reason(launch: KernelLaunch, rule: dict[str, Any], counters: Sequence[Counter]) -> str:
    capability = launch.device.compute_capability
    absent = capability and f"{capability[0]}.{capability[1]}" in rule["absent_on"]
    if capability and (absent or capability[0] < rule["since"]):
        return f"{rule['name']} counters do not exist on compute capability {capability[0]}.{capability[1]}"
    what = "roof" if counters else "traffic"
    return f"{rule['name']} {what} was not collected ({rule['collect']})"
