"""How long a kernel would take if one cause were gone.

The model. Over the time T of the kernel (taken as 1) resource r is busy for a share ``u_r`` and in practice
sustains a share ``s_r`` of its peak, so its work alone needs ``u_r / s_r``. With perfect overlap the kernel would
need ``w = max_r u_r / s_r``; the rest, ``e = 1 - w``, is exposed latency that no unit covers.

An ``Effect`` says what a fix changes: it removes a share of the work on some resources, adds work to others, and
removes a share of the exposed time. Then ``w' = max_r (u_r (1 - removed_r) + added_r) / s_r`` and

    T' = w' / k + e (1 - removed_exposed) + serial,    T' >= fixed floors

with ``k = 1`` where only waste is removed (the kernel keeps its own degree of overlap) and ``k = 0.8`` (0.6 to 1.0
for the interval) where a latency cause is removed: freed kernels do not overlap perfectly. A gain is ``1 / T'``, so
it never passes the next roof. A unit's own throughput (``lts__throughput``) holds counters that grow with
saturation, not with work (one pair went from 67 to 94 % while DRAM went from 54 to 91 %): it counts only for a fix
that leaves that unit's work as it is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any

from ncuanalyze.analysis.speed_of_light import Load
from ncuanalyze.data import table
from ncuanalyze.diagnosis import Speedup
from ncuanalyze.record import record


@record
class Effect:
    """What a fix changes. Shares are 0-1.

    ``removes``: counter name or unit (``unit:dram``) -> share of its work that goes; ``all`` is the default for
    counters not named. ``adds``: counter name -> busy share of the old time added. ``exposed``: share of the exposed
    time that goes. ``serial``: a share of the old time that stays and overlaps with nothing. ``at_least``: floors of
    the new time as shares of the old one. ``latency``: the fix adds parallelism, so the result ends at the knee.
    ``spreads``: idle SMs get work. ``reached``: the share of what its busiest unit sustains that is sure, so that the
    knee is not below: SMs run so already, or a wait goes rather than is hidden and needs no parallelism in its place.
    ``ignores``: units whose work the fix reshapes in an unknown way, left out of the next roof.
    """

    removes: Mapping[str, float] = field(default_factory=dict)
    adds: Mapping[str, float] = field(default_factory=dict)
    exposed: float = 0.0
    serial: float = 0.0
    at_least: tuple[float, ...] = ()
    latency: bool = False
    ignores: frozenset[str] = frozenset()
    spreads: bool = False
    reached: float = 0.0


def constants() -> dict[str, Any]:
    """``gain.toml``."""
    return table("analysis", "gain")


def covered(loads: Sequence[Load]) -> float:
    """``w``: the share of the time that the busiest resource needs for its own work, at most 1."""
    return min(1.0, max((load.busy / load.sustained for load in loads), default=0.0))


def speedup(loads: Sequence[Load], effect: Effect, duration_ns: float) -> Speedup:
    """Old time over new time without the cause: estimate and interval, never below 1."""
    floor = constants()["launch_floor_ns"]["value"] / duration_ns if duration_ns > 0 else 1.0
    times = _latency_times(loads, effect, floor) if effect.latency else _waste_times(loads, effect, floor)
    low, estimate, high = (max(1.0, 1 / time) if time > 0 else 1.0 for time in times)
    return Speedup(low=min(low, estimate), estimate=estimate, high=max(high, estimate))


def _latency_times(loads: Sequence[Load], effect: Effect, floor: float) -> tuple[float, ...]:
    """At the knees; a fix that adds parallelism seldom scales to its own floor either, so the low end takes both."""
    knee = constants()["knee"]
    knees = float(knee["low"]), max(float(knee["estimate"]), effect.reached), float(knee["high"])
    low, estimate, high = (new_time(loads, effect, at, floor) for at in knees)
    return max(low, min(1.0, max(effect.at_least, default=0.0) / knees[0])), estimate, high


def _waste_times(loads: Sequence[Load], effect: Effect, floor: float) -> tuple[float, ...]:
    """The estimate, and a third of the new time or a quarter of the saved time to each side."""
    middle = new_time(loads, effect, 1.0, floor)
    spread = constants()["waste_spread"]
    open_time = min(middle * float(spread["of_new_time"]), (1 - middle) * float(spread["of_saved_time"]))
    fastest = max(middle - open_time, peak_time(loads, effect), min(floor, middle))
    return middle + open_time, middle, min(fastest, middle)


def new_time(loads: Sequence[Load], effect: Effect, knee: float, floor: float) -> float:
    """``T'`` as a share of the old time, at most 1."""
    exposed = (1 - covered(_of_work(loads, effect))) * (1 - effect.exposed)
    time = roof_time(loads, effect) / knee + exposed + effect.serial
    return min(1.0, max(time, floor, *effect.at_least, 0.0))


def roof_time(loads: Sequence[Load], effect: Effect) -> float:
    """``w'``: the longest that any one resource needs for the work that is left, at what it sustains."""
    return max((left(load, effect) / load.sustained for load in _counted(loads, effect)), default=0.0)


def peak_time(loads: Sequence[Load], effect: Effect) -> float:
    """As ``roof_time`` with every resource at its peak: no gain can pass this."""
    return max((left(load, effect) for load in _counted(loads, effect)), default=0.0)


def left(load: Load, effect: Effect) -> float:
    """The busy share, of the old time, of the work that is left on one resource."""
    return load.busy * (1 - _removed(load, effect)) + effect.adds.get(load.counter.name, 0.0)


def next_roof(loads: Sequence[Load], effect: Effect) -> Load | None:
    """The resource that stops the kernel once the cause is gone."""
    return max(_counted(loads, effect), key=lambda load: left(load, effect) / load.sustained, default=None)


def _counted(loads: Sequence[Load], effect: Effect) -> list[Load]:
    """The resources that can be the next roof."""
    return _of_work([load for load in loads if load.unit not in effect.ignores], effect)


def _of_work(loads: Sequence[Load], effect: Effect) -> list[Load]:
    """The loads that follow the work: a unit's own throughput only where the fix leaves that unit alone."""
    changed = {load.unit for load in loads if effect.latency or _removed(load, effect) > 0}
    kept = [load for load in loads if load.counter.side != "own" or load.unit not in changed]
    return kept or list(loads)


def _removed(load: Load, effect: Effect) -> float:
    keys = (load.counter.name, f"unit:{load.unit}", f"unit:{load.counter.unit}", "all")
    return next((effect.removes[key] for key in keys if key in effect.removes), 0.0)
