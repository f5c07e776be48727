"""Time as work over rate: which of the two moved, for every resource that both sides measured."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from ncuanalyze.compare.comparison import WorkRate
from ncuanalyze.compare.launches import finite
from ncuanalyze.compare.noise import Noise
from ncuanalyze.diagnosis import KernelDiagnosis
from ncuanalyze.units import LARGEST, SMALLEST

INSTRUCTIONS = "instructions"
INSTRUCTION_NAMES = (INSTRUCTIONS, "smsp__inst_executed.sum", "sm__inst_executed.sum", "inst_executed")
LEVEL_NAMES = {
    "l1": "L1 bytes",
    "l2": "L2 bytes",
    "dram": "DRAM bytes",
    "host": "host bytes",
    "peer": "peer bytes",
    "shared": "shared-memory bytes",
    "local": "local-memory bytes",
}
LEVEL_RESOURCES = {"l1": "l1tex", "peer": "nvlink"}


@dataclass(frozen=True, kw_only=True)
class Work:
    """How much one resource did in one launch: a count, or the time it was busy at its peak."""

    name: str
    resource: str
    kind: str
    unit: str
    amount: float


def work_rates(base: KernelDiagnosis, new: KernelDiagnosis, noise: Noise) -> tuple[WorkRate, ...]:
    """Every resource measured on both sides, as work and rate. Empty where a duration is missing.

    Units that are idle on both sides are left out: a ratio of two small numbers explains nothing.
    """
    old_ns, new_ns = finite(base.duration_ns), finite(new.duration_ns)
    if old_ns is None or new_ns is None or not (_is_measurable(old_ns) and _is_measurable(new_ns)):
        return ()
    fresh = {(work.kind, work.name): work for work in works(new)}
    rows = (
        _work_rate(work, fresh[work.kind, work.name], old_ns, new_ns)
        for work in works(base)
        if (work.kind, work.name) in fresh
    )
    return tuple(row for row in rows if row.kind == "count" or _is_busy(row, noise.idle_pct))


def _is_busy(row: WorkRate, idle_pct: float) -> bool:
    return max(row.base_rate, row.new_rate) >= idle_pct


def works(kernel: KernelDiagnosis) -> tuple[Work, ...]:
    """The positive, finite amounts of work of a launch."""
    return tuple(work for work in _all_works(kernel) if _is_measurable(work.amount))


def _is_measurable(amount: float) -> bool:
    """Whether it is positive, and so far from zero and infinity that ratios are too."""
    return SMALLEST <= amount <= LARGEST


def instructions(kernel: KernelDiagnosis) -> float | None:
    """Warp instructions executed, where the diagnosis holds them."""
    values = {metric.name: metric.value for metric in kernel.metrics} | dict(kernel.launch or {})
    for name in INSTRUCTION_NAMES:
        value = values.get(name)
        if isinstance(value, float | int) and math.isfinite(value):
            return float(value)
    return None


def _all_works(kernel: KernelDiagnosis) -> Iterator[Work]:
    if (count := instructions(kernel)) is not None:
        yield Work(name=INSTRUCTIONS, resource="issue", kind="count", unit="inst", amount=count)
    for path in ("tensor", "fma"):
        flops = [item.flop for item in (kernel.roofline.flops if kernel.roofline else ()) if item.path == path]
        yield Work(name=f"{path} FLOP", resource=path, kind="count", unit="FLOP", amount=math.fsum(flops))
    for level in kernel.memory.levels if kernel.memory else ():
        name = LEVEL_NAMES.get(level.level, f"{level.level} bytes")
        resource = LEVEL_RESOURCES.get(level.level, level.level)
        yield Work(name=name, resource=resource, kind="count", unit="byte", amount=level.bytes or 0.0)
    for load in kernel.speed_of_light.units if kernel.speed_of_light else ():
        busy = load.pct / 100.0 * (kernel.duration_ns or 0.0)
        yield Work(name=load.unit, resource=load.unit, kind="busy", unit="ns", amount=busy)


def _work_rate(old: Work, new: Work, old_ns: float, new_ns: float) -> WorkRate:
    per = 100.0 if old.kind == "busy" else 1e9
    old_rate, new_rate = per * old.amount / old_ns, per * new.amount / new_ns
    work_ratio, time_ratio = new.amount / old.amount, new_ns / old_ns
    moved = abs(math.log(time_ratio)) > 1e-9
    return WorkRate(
        name=old.name,
        resource=old.resource,
        kind=old.kind,
        work_unit=old.unit,
        rate_unit="%" if old.kind == "busy" else f"{old.unit}/s",
        base_work=old.amount,
        new_work=new.amount,
        base_rate=old_rate,
        new_rate=new_rate,
        work_ratio=work_ratio,
        rate_ratio=new_rate / old_rate,
        work_share_pct=100.0 * math.log(work_ratio) / math.log(time_ratio) if moved else None,
    )
