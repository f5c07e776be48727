"""What was not the same in both runs, and what each difference does to the times."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ncuanalyze.compare.clocks import Domain, domain, governing_domain
from ncuanalyze.compare.comparison import Difference, KernelSide, Verdict, Weight
from ncuanalyze.compare.noise import Noise
from ncuanalyze.compare.verdict import direction, signed_pct
from ncuanalyze.diagnosis import Device, Diagnosis, Source

GPU_EFFECT = "another GPU has other units, clocks and memory: its times say nothing about the change"
PARTITION_EFFECT = "another share of the GPU (MIG slice, green context or masked SMs) takes another time"
CLOCK_CONTROL_EFFECT = (
    "ncu locked the clocks differently (base and boost are far apart on most GPUs): judge by cycles, "
    "or profile both with one --clock-control"
)
CACHE_EFFECT = (
    "caches were flushed before each pass in one run and left warm in the other: times of kernels whose data "
    "fits the L2 change by themselves; profile both with one --cache-control"
)
REPLAY_EFFECT = (
    "kernel replay serialises and restores memory before each pass, application and range replay do not: "
    "caches and neighbours differ"
)
VERSION_EFFECT = (
    "ncu versions differ in default clock control, in metrics and in peaks: counters may differ where nothing changed"
)
DRIVER_EFFECT = "another driver may compile PTX differently and manage clocks and memory differently"
SECTION_EFFECT = "counters collected on one side only cannot explain the change; durations are not affected"
UNKNOWN_EFFECT = "one of the files does not record it: a difference cannot be ruled out"
SHAPE_EFFECT = "another launch shape: the change is of the launch as well as of the code"
WORKLOAD_EFFECT = "a range or graph holds several kernels and the gaps between them: its time is no kernel's time"
SHORT_EFFECT = "shorter than about 20 us: counters of several passes need not agree, and the timer's steps show"

_NAMED = 3
_SETTINGS: tuple[tuple[str, Callable[[Source], str], str, Weight], ...] = (
    ("clock control", lambda s: s.clock_control, CLOCK_CONTROL_EFFECT, Weight.WARNING),
    ("cache control", lambda s: s.cache_control, CACHE_EFFECT, Weight.WARNING),
    ("replay mode", lambda s: s.replay_mode, REPLAY_EFFECT, Weight.WARNING),
    ("ncu version", lambda s: s.ncu_version, VERSION_EFFECT, Weight.NOTE),
    ("driver", lambda s: s.driver_version, DRIVER_EFFECT, Weight.NOTE),
)
_DEVICE: tuple[tuple[str, Callable[[Device], str], str], ...] = (
    ("GPU", lambda d: d.name or "", GPU_EFFECT),
    ("compute capability", lambda d: d.compute_capability or "", GPU_EFFECT),
    ("SM count", lambda d: str(d.sm_count) if d.sm_count else "", PARTITION_EFFECT),
)


def run_differences(base: Sequence[Diagnosis], new: Sequence[Diagnosis]) -> tuple[Difference, ...]:
    """Differences of the GPU, the settings and the collection between both sides as a whole."""
    found: list[Difference | None] = [
        _difference(what, _texts(base, pick), _texts(new, pick), effect, Weight.MEANINGLESS)
        for what, read, effect in _DEVICE
        for pick in (_of_device(read),)
    ]
    found += [
        _difference(what, _texts(base, pick), _texts(new, pick), effect, weight)
        for what, read, effect, weight in _SETTINGS
        for pick in (_of_source(read),)
    ]
    found.append(_section_difference(base, new))
    return tuple(item for item in found if item is not None)


def kernel_differences(base: KernelSide, new: KernelSide, noise: Noise) -> tuple[Difference, ...]:
    """Differences of one matched kernel: clocks as measured, launch shape, number of launches, length."""
    found = [
        _clock_difference("SM", base, new, noise),
        _clock_difference("DRAM", base, new, noise),
        *_shape_differences(base, new),
        _workload_difference(base, new),
        _length_difference(base, new, noise),
    ]
    return tuple(item for item in found if item is not None)


def clocks_against_time(
    base: KernelSide, new: KernelSide, by_time: Verdict, threshold_pct: float, noise: Noise
) -> tuple[Domain | None, Verdict | None, bool]:
    """The governing clock domain, what its cycles say, and whether they disagree with time by the clock."""
    governing = governing_domain(base, new)
    if governing is None:
        return None, None, False
    by_cycles = direction(governing.cycles_change_pct, threshold_pct)
    apart = abs(governing.apart_pct) > noise.clock_apart_pct
    disagree = apart and by_time is not Verdict.INCONCLUSIVE and by_cycles is not by_time
    return governing, by_cycles, disagree


def _of_device(read: Callable[[Device], str]) -> Callable[[Diagnosis], str]:
    return lambda diagnosis: read(diagnosis.device)


def _of_source(read: Callable[[Source], str]) -> Callable[[Diagnosis], str]:
    return lambda diagnosis: read(diagnosis.source)


def _texts(side: Sequence[Diagnosis], read: Callable[[Diagnosis], str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(read(diagnosis).strip() for diagnosis in side))


def _difference(
    what: str, base: tuple[str, ...], new: tuple[str, ...], effect: str, weight: Weight
) -> Difference | None:
    """None where both sides say the same, or where neither says anything."""
    if _bare(base) == _bare(new) and len(_bare(base)) <= 1:
        return None
    if not any(base) and not any(new):
        return None
    if not all(base) or not all(new):
        known = set(base) | set(new)
        if len(known - {""}) <= 1:
            effect, weight = UNKNOWN_EFFECT, Weight.NOTE
    return Difference(what=what, base=_listed(base), new=_listed(new), effect=effect, weight=weight)


def _bare(texts: Iterable[str]) -> set[str]:
    """Without the maker, which older drivers leave out of a GPU's name."""
    return {text.removeprefix("NVIDIA ") for text in texts}


def _listed(texts: Iterable[str]) -> str:
    return ", ".join(text for text in texts if text)


def _section_difference(base: Sequence[Diagnosis], new: Sequence[Diagnosis]) -> Difference | None:
    old, fresh = ({name for item in side for name in item.source.sections} for side in (base, new))
    if not old or not fresh or old == fresh:
        return None
    return Difference(
        what="sections",
        base=_more(sorted(old - fresh)),
        new=_more(sorted(fresh - old)),
        effect=SECTION_EFFECT,
        weight=Weight.NOTE,
    )


def _more(names: Sequence[str]) -> str:
    """``also A, B and 7 more``; ``nothing more`` where there is none."""
    if not names:
        return "nothing more"
    rest = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return f"also {_listed(names[:_NAMED])}{rest}"


def _clock_difference(name: str, base: KernelSide, new: KernelSide, noise: Noise) -> Difference | None:
    found = domain(name, base, new)
    if found is None or abs(found.apart_pct) <= noise.clock_apart_pct:
        return None
    governing = governing_domain(base, new)
    matters = governing is not None and governing.name == name
    cycles = f"cycles changed by {signed_pct(found.cycles_change_pct)}"
    effect = f"the clock ran {signed_pct(found.apart_pct)}: {cycles}; " + (
        "by its clock alone the kernel takes another time" if matters else "it is not the clock that limits the kernel"
    )
    return Difference(
        what=f"{name} clock",
        base=f"{found.base_hz / 1e9:.2f} GHz",
        new=f"{found.new_hz / 1e9:.2f} GHz",
        effect=effect,
        weight=Weight.WARNING if matters else Weight.NOTE,
    )


def _shape_differences(base: KernelSide, new: KernelSide) -> list[Difference]:
    old, fresh = base.diagnosis.kernel, new.diagnosis.kernel
    return [
        Difference(what=what, base=_shape(one), new=_shape(other), effect=SHAPE_EFFECT, weight=Weight.NOTE)
        for what, one, other in (("grid", old.grid, fresh.grid), ("block", old.block, fresh.block))
        if one is not None and other is not None and one != other
    ]


def _shape(size: tuple[int, int, int]) -> str:
    return "x".join(str(part) for part in size)


def _workload_difference(base: KernelSide, new: KernelSide) -> Difference | None:
    old, fresh = base.diagnosis.kernel.workload, new.diagnosis.kernel.workload
    if old == fresh:
        return None
    return Difference(what="workload", base=old, new=fresh, effect=WORKLOAD_EFFECT, weight=Weight.MEANINGLESS)


def _length_difference(base: KernelSide, new: KernelSide, noise: Noise) -> Difference | None:
    times = [side.spread.median_ns for side in (base, new) if side.spread]
    if len(times) < 2 or min(times) >= noise.steady_state_ns:
        return None
    old, fresh = (f"{time / 1e3:.2f} us" for time in times)
    return Difference(what="length", base=old, new=fresh, effect=SHORT_EFFECT, weight=Weight.NOTE)
