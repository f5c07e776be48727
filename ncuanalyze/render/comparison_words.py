"""What a comparison says in words, shared by its text, markdown and HTML."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ncuanalyze.compare.comparison import (
    Comparison,
    Difference,
    Fate,
    FindingChange,
    KernelComparison,
    KernelSide,
    Moved,
    Promise,
    Spread,
    Verdict,
    Weight,
    WorkRate,
)
from ncuanalyze.diagnosis import Kernel
from ncuanalyze.render.names import short_name
from ncuanalyze.render.numbers import digits, dimensions, duration, factor, pct, quantity, si, speedup_text

_MARK_WIDTH = 16
MINUS = "−"
OUTCOMES = {
    "kept": "kept",
    "less": "less than promised",
    "more": "more than promised",
    "not taken": "not taken: the finding is still there",
}


def change(value: float | None) -> str:
    """A signed percentage: ``−18.0%``, ``+3.2%``; missing is ``n/a``."""
    if value is None:
        return pct(None)
    sign = MINUS if value < 0 else "+" if value > 0 else ""
    return f"{sign}{pct(abs(value))}"


def headline(comparison: Comparison) -> str:
    """The verdict on the whole in one sentence."""
    total = comparison.total
    if comparison.verdict is Verdict.INCONCLUSIVE:
        return f"Inconclusive: {comparison.reason}"
    if comparison.verdict is Verdict.SAME:
        return f"No change beyond noise: {comparison.reason}"
    word = "Faster" if comparison.verdict is Verdict.FASTER else "Slower"
    sums = f"{duration(total.base_ns)} became {duration(total.new_ns)}"
    by = f"{factor(total.speedup)}, " if total.speedup is not None else ""
    kernels = "1 kernel" if total.matched == 1 else f"{total.matched} matched kernels"
    return f"{word}: {by}{sums} ({change(total.change_pct)}) over {kernels}"


def titles(comparison: Comparison, width: int) -> dict[int, str]:
    """A short name for each kernel by its place; kernels that would read alike get their launch shape."""
    names = [_pair_title(kernel, width) for kernel in comparison.kernels]
    often = Counter(names)
    found = {}
    for place, (name, kernel) in enumerate(zip(names, comparison.kernels, strict=True)):
        mark = _mark(kernel.new.diagnosis.kernel) if often[name] > 1 else ""
        found[place] = _pair_title(kernel, width - len(mark)) + mark if mark else name
    return found


def _pair_title(kernel: KernelComparison, width: int) -> str:
    """The new side's name; both where a pair of differently called kernels was asked for."""
    base, new = kernel.base.diagnosis.kernel, kernel.new.diagnosis.kernel
    half = (width - 3) // 2
    if kernel.match.startswith("--pair") and title(base, half) != title(new, half):
        return f"{title(base, half)} → {title(new, half)}"
    return title(new, width)


def _mark(kernel: Kernel) -> str:
    """What tells one launch of a name from another: its NVTX range, else its grid."""
    mark = kernel.nvtx[-1] if kernel.nvtx else dimensions(kernel.grid) if kernel.grid else ""
    return f" [{mark[:_MARK_WIDTH]}]" if mark else ""


def title(kernel: Kernel, width: int) -> str:
    """The kernel's name; inside an NVTX range a library kernel or one of Triton reads better by the range."""
    if kernel.nvtx and kernel.language in ("library", "triton"):
        place = short_name(kernel.nvtx[-1], max(8, width // 2))
        return f"{place}: {short_name(kernel.name, max(8, width - len(place) - 2))}"
    return short_name(kernel.demangled or kernel.name, width)


def promise_is_told(kernel: KernelComparison) -> bool:
    """Whether the base's promise is worth a line: the finding was dealt with, or time changed without it."""
    promise = kernel.why.promise if kernel.why else None
    return promise is not None and (promise.outcome != "not taken" or kernel.verdict is not Verdict.SAME)


def counts(comparison: Comparison) -> str:
    """How many kernels went which way: ``2 faster, 1 the same, 1 vanished``."""
    found = [
        (len(comparison.of(Verdict.FASTER)), "faster"),
        (len(comparison.of(Verdict.SLOWER)), "slower"),
        (len(comparison.of(Verdict.SAME)), "the same"),
        (len(comparison.of(Verdict.INCONCLUSIVE)), "inconclusive"),
        (len(comparison.vanished), "vanished"),
        (len(comparison.appeared), "new"),
    ]
    return ", ".join(f"{number} {what}" for number, what in found if number)


def differences(comparison: Comparison) -> tuple[Difference, ...]:
    """What is unfair about the whole and about its kernels, the gravest first; kernels' own named once."""
    own = [item for kernel in comparison.kernels for item in kernel.differences]
    once = dict.fromkeys((*comparison.differences, *(item for item in own if item.weight is not Weight.NOTE)))
    order = (Weight.MEANINGLESS, Weight.WARNING, Weight.NOTE)
    return tuple(sorted(once, key=lambda item: order.index(item.weight)))


def difference_text(item: Difference) -> str:
    """``SM clock 1.59 GHz against 1.98 GHz: what that does``."""
    return f"{item.what} {item.base or 'not recorded'} against {item.new or 'not recorded'}: {item.effect}"


def spread_text(spread: Spread | None) -> str:
    """The median, and the interval where there were several samples."""
    if spread is None:
        return duration(None)
    if spread.samples == 1:
        return duration(spread.median_ns)
    what = "runs" if spread.runs > 1 else "launches"
    between = f"{duration(spread.low_ns)} to {duration(spread.high_ns)}"
    return f"{duration(spread.median_ns)} ({between}, {spread.samples} {what})"


def cycles_text(kernel: KernelComparison) -> str:
    """``159k cycles to 162k cycles (+2.1%)``; empty where a side has none."""
    base, new = kernel.base.cycles, kernel.new.cycles
    if base is None or new is None:
        return ""
    return f"{si(base, 'cycle')} to {si(new, 'cycle')}"


def clocks_text(kernel: KernelComparison) -> str:
    """SM clocks as measured; empty where a side has none."""
    base, new = kernel.base.sm_clock_hz, kernel.new.sm_clock_hz
    return "" if base is None or new is None else f"{si(base, 'hz')} to {si(new, 'hz')}"


def work_text(row: WorkRate) -> tuple[str, str, str, str, str]:
    """Name, work on both sides, rate on both sides, and both ratios."""
    name = f"{row.name} busy time" if row.kind == "busy" else row.name
    work = f"{quantity(row.base_work, row.work_unit)} to {quantity(row.new_work, row.work_unit)}"
    rate = f"{_rate(row.base_rate, row)} to {_rate(row.new_rate, row)}"
    return name, work, ratio(row.work_ratio), rate, ratio(row.rate_ratio)


def _rate(value: float, row: WorkRate) -> str:
    return pct(value) if row.kind == "busy" else si(value, row.rate_unit)


def ratio(value: float) -> str:
    """New over base: ``0.25×``."""
    return f"{digits(value)}×"


def moved_text(item: Moved) -> str:
    """``achieved occupancy 12.5% to 49%``."""
    return f"{item.name} {quantity(item.base, item.unit)} to {quantity(item.new, item.unit)}"


def finding_text(item: FindingChange) -> str:
    """A finding and its fate, with what it promises."""
    old, new = (speedup_text(gain) if gain else "" for gain in (item.base, item.new))
    gains = {
        Fate.GONE: f"promised {old}" if old else "",
        Fate.NEW: f"promises {new}" if new else "",
        Fate.KEPT: f"promises {new}" if new else "",
    }.get(item.fate, f"promised {old}, now {new}")
    return f"{item.fate}: {item.title}" + (f" ({gains})" if gains else "")


def promise_text(promise: Promise) -> str:
    """What was promised against what was measured."""
    shared = " (shared with " + ", ".join(promise.others) + ")" if promise.others else ""
    measured = f"measured {factor(promise.measured)}{shared}"
    return f"{promise.title} promised {speedup_text(promise.promised)}, {measured}: {OUTCOMES[promise.outcome]}"


def lone(sides: tuple[KernelSide, ...], width: int) -> Iterator[tuple[str, str, int]]:
    """Name, total time and launches of the kernels on one side only, longest first."""
    for side in sorted(sides, key=lambda item: -(item.total_ns or 0.0)):
        kernel = side.diagnosis.kernel
        yield title(kernel, width), duration(side.total_ns), side.launches
