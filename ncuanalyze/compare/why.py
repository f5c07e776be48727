"""Why the time changed: the resource that held the slower side, its work and rate, and what else moved."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ncuanalyze.compare.comparison import Moved, Verdict, Why, WorkRate
from ncuanalyze.compare.decompose import INSTRUCTIONS, instructions, work_rates
from ncuanalyze.compare.findings import finding_changes, promise_of
from ncuanalyze.compare.launches import finite
from ncuanalyze.compare.noise import Noise
from ncuanalyze.diagnosis import Bound, KernelDiagnosis

UNIT_NAMES = {
    "alu": "the ALU pipe",
    "dram": "DRAM",
    "fma": "the FMA pipe",
    "fp16": "the FP16 pipe",
    "fp64": "the FP64 pipe",
    "host": "the host link",
    "issue": "the issue slots",
    "l1tex": "L1TEX",
    "l2": "L2",
    "lsu": "the LSU",
    "nvlink": "NVLink",
    "shared": "shared memory",
    "tensor": "the tensor pipe",
    "xu": "the XU pipe",
}
_STALLS_SHOWN = 3


def why(base: KernelDiagnosis, new: KernelDiagnosis, speedup: float | None, verdict: Verdict, noise: Noise) -> Why:
    """The explanation of one kernel's change. ``speedup`` is base over new time, as measured."""
    rates = work_rates(base, new, noise)
    main = main_resource(base, new, rates)
    moved = tuple(_moved(base, new, noise))
    changes = finding_changes(base, new, noise)
    return Why(
        sentence=_sentence(base, new, verdict, rates, main, noise),
        main=main,
        work_rates=rates,
        moved=moved,
        findings=changes,
        promise=promise_of(changes, speedup, noise),
        bound_moved=base.bound is not new.bound,
        limiter_moved=base.limiter != new.limiter,
    )


def main_resource(base: KernelDiagnosis, new: KernelDiagnosis, rates: Sequence[WorkRate]) -> str:
    """The row that explains best: the slower side's limiter, else instructions, else the busiest unit.

    A latency-bound kernel has no busy unit that held it: its instructions and their rate tell more.
    """
    slower = base if (base.duration_ns or 0.0) >= (new.duration_ns or 0.0) else new
    names = {item.name for item in rates}
    held = slower.limiter if slower.bound is not Bound.LATENCY else None
    if held is not None and (held in names or held in _loads(slower)):
        return held
    if INSTRUCTIONS in names:
        return INSTRUCTIONS
    ranked = sorted((unit for unit in _loads(slower) if unit in names), key=lambda unit: -_loads(slower)[unit])
    return ranked[0] if ranked else next((item.name for item in rates), "")


def _loads(kernel: KernelDiagnosis) -> dict[str, float]:
    return {load.unit: load.pct for load in kernel.speed_of_light.units} if kernel.speed_of_light else {}


def _sentence(
    base: KernelDiagnosis,
    new: KernelDiagnosis,
    verdict: Verdict,
    rates: Sequence[WorkRate],
    main: str,
    noise: Noise,
) -> str:
    row = next((item for item in rates if item.name == main), None)
    moved = _bound_text(base, new)
    if row is None:
        said = _unmatched_text(main, base, new)
    elif verdict is Verdict.SAME:
        said = f"work and rate of {'the instructions' if row.kind == 'count' else _unit_name(row)} are about as before"
    else:
        said = _change_text(row, noise.mostly_pct)
    return f"{said}; {moved}" if moved else said


def _unmatched_text(main: str, base: KernelDiagnosis, new: KernelDiagnosis) -> str:
    """What to say where the resource was busy on one side only, or where nothing was counted on both."""
    name = UNIT_NAMES.get(main, main)
    if main in _loads(base) and new.speed_of_light is not None:
        return f"less work: {name} has none left"
    if main in _loads(new) and base.speed_of_light is not None:
        return f"more work: {name} had none before"
    return "no counter that would explain the change is on both sides"


def _change_text(main: WorkRate, mostly_pct: float) -> str:
    """Which of work and rate moved, in the words of the resource."""
    share = 50.0 if main.work_share_pct is None else main.work_share_pct
    work = f"{_ratio(main.work_ratio)} the {'instructions' if main.kind == 'count' else 'work'}"
    rate = f"{_ratio(main.rate_ratio)} the rate"
    if main.kind == "busy":
        rate += f" ({main.base_rate:.0f}% to {main.new_rate:.0f}% of its peak)"
    if share >= mostly_pct:
        return f"{'less' if main.work_ratio < 1 else 'more'} work: {_unit_name(main)} had {work}, at {rate}"
    if share <= 100 - mostly_pct:
        return f"a {'higher' if main.rate_ratio > 1 else 'lower'} rate: {_unit_name(main)} did {work} at {rate}"
    return f"work and rate: {_unit_name(main)} had {work} at {rate}"


def _unit_name(main: WorkRate) -> str:
    return "it" if main.kind == "count" else UNIT_NAMES.get(main.name, main.name)


def _ratio(value: float) -> str:
    return f"{value:.2g}x" if value < 1 else f"{value:.3g}x"


def _bound_text(base: KernelDiagnosis, new: KernelDiagnosis) -> str:
    parts = []
    if base.bound is not new.bound:
        parts.append(f"bound moved from {base.bound} to {new.bound}")
    if base.limiter != new.limiter:
        parts.append(f"limiter moved from {base.limiter or 'none'} to {new.limiter or 'none'}")
    return ", ".join(parts)


def _moved(base: KernelDiagnosis, new: KernelDiagnosis, noise: Noise) -> Iterator[Moved]:
    """The quantities behind the rate that moved by more than the noise allows, in a fixed order."""
    fresh = {name: (value, unit) for name, value, unit in _quantities(new)}
    for name, old, unit in _quantities(base):
        if name not in fresh:
            continue
        value = fresh[name][0]
        if _has_moved(old, value, noise.moved_ratio):
            yield Moved(name=name, base=old, new=value, unit=unit)


def _has_moved(old: float, fresh: float, ratio: float) -> bool:
    if old <= 0 or fresh <= 0:
        return old != fresh
    return not 1.0 / ratio <= fresh / old <= ratio


def _quantities(kernel: KernelDiagnosis) -> Iterator[tuple[str, float, str]]:
    for name, value, unit in _all_quantities(kernel):
        if (known := finite(value)) is not None:
            yield name, known, unit


def _all_quantities(kernel: KernelDiagnosis) -> Iterator[tuple[str, float | None, str]]:
    yield INSTRUCTIONS, instructions(kernel), "inst"
    if occupancy := kernel.occupancy:
        yield "registers per thread", occupancy.registers_per_thread, ""
        yield "shared memory per block", occupancy.shared_bytes_per_block, "byte"
        yield "theoretical occupancy", occupancy.theoretical_pct, "%"
        yield "achieved occupancy", occupancy.achieved_pct, "%"
        yield "waves per SM", occupancy.waves_per_sm, ""
        yield "eligible warps per scheduler", occupancy.eligible_warps_per_scheduler, ""
    if stalls := kernel.stalls:
        yield "issue slots used", None if stalls.issue_active is None else 100.0 * stalls.issue_active, "%"
        for stall in sorted(stalls.reasons, key=lambda item: -item.cycles_per_issue)[:_STALLS_SHOWN]:
            yield f"stall {stall.reason} per instruction", stall.cycles_per_issue, "cycle"
    for level in kernel.memory.levels if kernel.memory else ():
        if not level.unreliable:
            yield f"{level.level} hit rate", level.hit_rate_pct, "%"
