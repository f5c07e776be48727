"""Why the time changed: the resource that held the slower side, its work and rate, and what else moved."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ncuanalyze.compare.comparison import Moved, Verdict, Why, WorkRate
from ncuanalyze.compare.decompose import instructions, work_rates
from ncuanalyze.compare.findings import finding_changes, promise_of
from ncuanalyze.compare.launches import finite
from ncuanalyze.compare.noise import Noise
from ncuanalyze.diagnosis import KernelDiagnosis

_MOSTLY_PCT = 75.0  # of the logarithm of the change: three quarters of it, so the other part is a detail
_STALLS_SHOWN = 3


def why(
    base: KernelDiagnosis, new: KernelDiagnosis, speedup: float | None, verdict: Verdict, noise: Noise
) -> Why:
    """The explanation of one kernel's change. ``speedup`` is base over new time, as measured."""
    rates = work_rates(base, new)
    main = main_resource(base, new, rates)
    moved = tuple(_moved(base, new, noise))
    changes = finding_changes(base, new, noise)
    return Why(
        sentence=_sentence(base, new, verdict, next((item for item in rates if item.name == main), None)),
        main=main,
        work_rates=rates,
        moved=moved,
        findings=changes,
        promise=promise_of(changes, speedup),
        bound_moved=base.bound is not new.bound,
        limiter_moved=base.limiter != new.limiter,
    )


def main_resource(base: KernelDiagnosis, new: KernelDiagnosis, rates: Sequence[WorkRate]) -> str:
    """The row that explains best: the slower side's limiter, else instructions, else the busiest unit."""
    slower = base if (base.duration_ns or 0.0) >= (new.duration_ns or 0.0) else new
    busy = {item.name for item in rates if item.kind == "busy"}
    if slower.limiter in busy:
        return slower.limiter or ""
    if any(item.name == "instructions" for item in rates) and slower.limiter is None:
        return "instructions"
    loads = slower.speed_of_light.units if slower.speed_of_light else ()
    ranked = sorted((load for load in loads if load.unit in busy), key=lambda load: -load.pct)
    return ranked[0].unit if ranked else next((item.name for item in rates), "")


def _sentence(base: KernelDiagnosis, new: KernelDiagnosis, verdict: Verdict, main: WorkRate | None) -> str:
    moved = _bound_text(base, new)
    if main is None:
        return moved or "no counter that would explain the change is on both sides"
    if verdict is Verdict.SAME:
        return f"work and rate of {main.name} are as before" + (f"; {moved}" if moved else "")
    return f"{_part(main)}: {_work_text(main)} {_rate_text(main)}" + (f"; {moved}" if moved else "")


def _part(main: WorkRate) -> str:
    share = main.work_share_pct
    if share is None:
        return "work and rate"
    if share >= _MOSTLY_PCT:
        return (
            "mostly work"
            if share <= 100 + (100 - _MOSTLY_PCT)
            else "work, against a rate that moved the other way"
        )
    if share <= 100 - _MOSTLY_PCT:
        return "mostly rate" if share >= _MOSTLY_PCT - 100 else "rate, against work that moved the other way"
    return "work and rate"


def _work_text(main: WorkRate) -> str:
    what = f"{main.name} had" if main.kind == "busy" else "it executed"
    tail = " the work" if main.kind == "busy" else f" the {main.name}"
    return f"{what} {main.work_ratio:.2f}x{tail}"


def _rate_text(main: WorkRate) -> str:
    if main.kind == "busy":
        return (
            f"at {main.rate_ratio:.2f}x the rate ({main.base_rate:.0f}% to {main.new_rate:.0f}% of its peak)"
        )
    return f"at {main.rate_ratio:.2f}x the rate"


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
    yield "instructions", instructions(kernel), "inst"
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
