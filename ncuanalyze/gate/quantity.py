"""The values that an assertion may name: derived ones of a diagnosis, and every metric of the report."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from ncuanalyze.data import table
from ncuanalyze.diagnosis import Bound, KernelDiagnosis
from ncuanalyze.gate.unit import PLAIN, Unit, foreign, unit_named

Value = float | str | None
SECTOR_BYTES = 32
LOCAL_SECTORS = (
    "l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum",
    "l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum",
)


@dataclass(frozen=True)
class Quantity:
    """A derived value: name, unit, meaning, how to read it, and its texts (none: a number)."""

    name: str
    unit: str
    meaning: str
    read: Callable[[KernelDiagnosis], Value]
    texts: tuple[str, ...] = ()


@dataclass(frozen=True)
class Reading:
    """A value with its unit. ``value`` None is missing, for ``reason``."""

    value: Value
    unit: Unit
    reason: str = ""
    texts: tuple[str, ...] = ()


def reading_of(name: str, kernel: KernelDiagnosis) -> Reading | None:
    """The value of a name for one launch; None where this launch knows no such name."""
    derived = quantities().get(name)
    if derived is not None:
        return _derived(derived, kernel)
    for metric in kernel.metrics:
        if metric.name == name:
            return Reading(_finite(metric.value), foreign(metric.unit), metric.missing or "without a value")
    return _per_unit(name, kernel)


def known_names(kernels: Iterable[KernelDiagnosis]) -> Sequence[str]:
    """Every name that some launch knows."""
    names = dict.fromkeys(quantities())
    for kernel in kernels:
        names.update(dict.fromkeys(metric.name for metric in kernel.metrics))
        names.update(dict.fromkeys(f"{unit}_utilization_pct" for unit in _loads(kernel)))
        names.update(dict.fromkeys(f"stall_{reason}_pct" for reason in _stalls(kernel)))
    return tuple(names)


@cache
def quantities() -> dict[str, Quantity]:
    """The derived values by name."""
    return {item.name: item for item in (*_times(), *_judgements(), *_resources(), *_traffic(), *_rates())}


def _times() -> list[Quantity]:
    def time(scale: float) -> Callable[[KernelDiagnosis], Value]:
        return lambda k: None if k.duration_ns is None else k.duration_ns / scale

    scales = (("ns", 1.0), ("us", 1e3), ("ms", 1e6), ("s", 1e9))
    return [
        *(Quantity(f"duration_{unit}", unit, "duration", time(scale)) for unit, scale in scales),
        Quantity("time_share_pct", "%", "share of the report's time", lambda k: k.time_share_pct),
        Quantity("cycles", "cycle", "elapsed SM cycles", lambda k: k.cycles),
        Quantity("sm_clock_hz", "hz", "SM clock as measured", lambda k: k.sm_clock_hz),
        Quantity("dram_clock_hz", "hz", "DRAM clock as measured", lambda k: k.dram_clock_hz),
    ]


def _judgements() -> list[Quantity]:
    bounds = tuple(bound.value for bound in Bound)
    limiters = (*dict.fromkeys(entry["unit"] for entry in table("analysis", "units")["counter"].values()), "none")
    return [
        Quantity("bound", "", "what bounds the kernel", lambda k: k.bound.value, bounds),
        Quantity("limiter", "", "the limiting unit, or none", lambda k: k.limiter or "none", limiters),
        Quantity("at_roofline", "", "whether it is at its roof", _at_roofline, ("true", "false")),
        Quantity("headroom_pct", "%", "share of its time that the best finding saves", lambda k: k.headroom_pct),
        Quantity("nearest_roof_pct", "%", "rate against the nearest roof", _nearest_roof),
    ]


def _resources() -> list[Quantity]:
    return [
        Quantity("registers_per_thread", "register/thread", "registers", _occupancy("registers_per_thread")),
        Quantity("shared_bytes_per_block", "byte/block", "shared memory", _occupancy("shared_bytes_per_block")),
        Quantity("threads_per_block", "thread/block", "block size", _occupancy("threads_per_block")),
        Quantity("waves_per_sm", "", "waves of blocks", _occupancy("waves_per_sm")),
        Quantity("theoretical_occupancy_pct", "%", "warps that fit", _occupancy("theoretical_pct")),
        Quantity("achieved_occupancy_pct", "%", "warps resident", _occupancy("achieved_pct")),
    ]


def _traffic() -> list[Quantity]:
    levels = ("l1", "l2", "dram", "host", "peer")
    return [
        *(Quantity(f"{level}_bytes", "byte", f"traffic at {level}", _level(level, "bytes")) for level in levels),
        *(Quantity(f"{x}_bytes_per_s", "byte/s", f"rate at {x}", _level(x, "bytes_per_s")) for x in levels),
        *(Quantity(f"{x}_hit_rate_pct", "%", f"hit rate of {x}", _level(x, "hit_rate_pct")) for x in ("l1", "l2")),
        Quantity("local_memory_spilling", "byte", "local-memory traffic (spills and local arrays)", _local_bytes),
        Quantity("tensor_flop", "FLOP", "tensor operations", lambda k: _flop(k, "tensor")),
        Quantity("fma_flop", "FLOP", "operations outside the tensor cores", lambda k: _flop(k, "fma")),
    ]


def _rates() -> list[Quantity]:
    return [
        Quantity("sm_throughput_pct", "%", "SM speed of light", lambda k: _light(k, "sm_pct")),
        Quantity("memory_throughput_pct", "%", "memory speed of light", lambda k: _light(k, "memory_pct")),
        Quantity("tensor_utilization_pct", "%", "tensor rate against its precision's peak", _tensor_utilization),
        Quantity("issue_active_pct", "%", "issue slots used", _issue_active),
    ]


def _derived(quantity: Quantity, kernel: KernelDiagnosis) -> Reading:
    unit = unit_named(quantity.unit) or PLAIN
    value = _finite(quantity.read(kernel))
    return Reading(value, unit, "" if value is not None else "not collected", quantity.texts)


def _per_unit(name: str, kernel: KernelDiagnosis) -> Reading | None:
    """``<unit>_utilization_pct`` of the speed of light, ``stall_<reason>_pct`` of the stalls."""
    percent = unit_named("%") or PLAIN
    loads, stalls = _loads(kernel), _stalls(kernel)
    if name.endswith("_utilization_pct") and name.removesuffix("_utilization_pct") in loads:
        return Reading(loads[name.removesuffix("_utilization_pct")], percent)
    reason = name.removeprefix("stall_").removesuffix("_pct")
    if name == f"stall_{reason}_pct" and reason in stalls:
        return Reading(stalls[reason], percent)
    return None


def _finite(value: Value) -> Value:
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _loads(kernel: KernelDiagnosis) -> dict[str, float]:
    return {load.unit: load.pct for load in kernel.speed_of_light.units} if kernel.speed_of_light else {}


def _stalls(kernel: KernelDiagnosis) -> dict[str, float]:
    return {stall.reason: stall.share_pct for stall in kernel.stalls.reasons} if kernel.stalls else {}


def _at_roofline(kernel: KernelDiagnosis) -> Value:
    return "true" if kernel.at_roofline else "false"


def _nearest_roof(kernel: KernelDiagnosis) -> Value:
    return kernel.roofline.nearest_roof_pct if kernel.roofline else None


def _issue_active(kernel: KernelDiagnosis) -> Value:
    active = kernel.stalls.issue_active if kernel.stalls else None
    return None if active is None else 100.0 * active


def _light(kernel: KernelDiagnosis, field: str) -> Value:
    return getattr(kernel.speed_of_light, field) if kernel.speed_of_light else None


def _occupancy(field: str) -> Callable[[KernelDiagnosis], Value]:
    return lambda kernel: getattr(kernel.occupancy, field) if kernel.occupancy else None


def _level(level: str, field: str) -> Callable[[KernelDiagnosis], Value]:
    def read(kernel: KernelDiagnosis) -> Value:
        found = [item for item in (kernel.memory.levels if kernel.memory else ()) if item.level == level]
        return getattr(found[0], field) if found else None

    return read


def _local_bytes(kernel: KernelDiagnosis) -> Value:
    """From the sectors of local loads and stores: zero is an answer, an absent counter is not."""
    counted = {metric.name: metric.value for metric in kernel.metrics if metric.name in LOCAL_SECTORS}
    sectors = [value for value in counted.values() if isinstance(value, float | int) and math.isfinite(value)]
    if len(sectors) == len(LOCAL_SECTORS):
        return SECTOR_BYTES * float(sum(sectors))
    return _level("local", "bytes")(kernel)


def _flop(kernel: KernelDiagnosis, path: str) -> Value:
    counts = [item.flop for item in (kernel.roofline.flops if kernel.roofline else ()) if item.path == path]
    return math.fsum(counts) if counts else None


def _tensor_utilization(kernel: KernelDiagnosis) -> Value:
    """The busiest precision against its own peak; the tensor pipe's load where no operations were counted."""
    flops = kernel.roofline.flops if kernel.roofline else ()
    used = [item.utilization_pct for item in flops if item.path == "tensor" and item.utilization_pct is not None]
    return max(used) if used else _loads(kernel).get("tensor")
