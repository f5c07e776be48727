"""The sentences that a reader reads first: one a kernel, one paragraph a report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ncuanalyze.analysis.kernel import KernelAnalysis
from ncuanalyze.analysis.speed_of_light import Load
from ncuanalyze.bound import LATENCY_PCT, Classification, limiter
from ncuanalyze.diagnosis import Bound, Finding, KernelDiagnosis, Stalls, alike, label_of, labels_of, saved_pct

UNIT_NAMES = {
    "dram": "DRAM",
    "l2": "L2",
    "l1tex": "L1",
    "shared": "shared memory",
    "host": "the link to host memory",
    "nvlink": "NVLink",
    "tensor": "the Tensor Cores",
    "fma": "the FMA pipe",
    "fp64": "the FP64 pipe",
    "fp16": "the FP16 pipe",
    "alu": "the ALU pipe",
    "xu": "the special-function unit",
    "lsu": "the load/store unit",
    "issue": "instruction issue",
    "constant": "the constant cache",
}
"""Each limiter as a reader's words."""


WORTH_PCT = 2
"""A change that saves less of the whole time is not told first."""
LARGE_WAIT_PCT = 25
"""A smaller share of the warps' time is no lead."""
NOTHING_PROVED = "the counters of this report prove no change that pays"
LACKS_COUNTERS = "this report lacks the counters that would name a cause"


def summary_of(
    kernel: KernelAnalysis,
    classification: Classification,
    limiter_unit: str | None,
    at_roofline: bool,
    findings: Sequence[Finding],
    *,
    open_question: bool = False,
) -> str:
    """One sentence: the state of the kernel, then the change that pays most.

    ``open_question``: the limiting unit is at its roof, but the counters that would show waste are missing.
    """
    state = _state(kernel, classification, limiter_unit, at_roofline)
    if findings and findings[0].kind == "verdict":
        return findings[0].message
    if at_roofline:
        return f"{state}; only less work{_or_other_instructions(findings)} makes it faster."
    best = next((f for f in findings if f.kind == "cause" and f.speedup is not None), None)
    if best is None and open_question:
        return f"{state}, about what it sustains; whether all of its work is useful the report does not show."
    if best is None and classification.bound is Bound.INCONCLUSIVE:
        return state
    if best is None:
        return f"{state}; {LACKS_COUNTERS}." if kernel.stalls is None else f"{state}; {_largest_wait(kernel.stalls)}"
    return f"{state}. Fix first: {best.phrase}, about {_times(best)}."


def _or_other_instructions(findings: Sequence[Finding]) -> str:
    """The change that is named and not promised, where it is what comes first."""
    first = next((finding for finding in findings if finding.kind == "cause"), None)
    return f", or other instructions ({first.phrase})," if first is not None and first.speedup is None else ""


def _largest_wait(stalls: Stalls) -> str:
    """Where no cause is proved, what the warps wait for most is where to look."""
    first = next((stall for stall in stalls.reasons if stall.reason != "not_selected"), None)
    if first is None or not stalls.matter or not first.meaning or first.share_pct < LARGE_WAIT_PCT:
        return "no single cause stands out."
    return f"no single cause stands out. Most often a warp {first.meaning} ({first.share_pct:.0f}%)."


def _times(finding: Finding) -> str:
    if finding.speedup is None:
        return "an unknown factor"
    gain = finding.speedup.estimate
    return f"{gain:.2g}x" if gain < 99.5 else f"{gain:.0f}x"


def _state(kernel: KernelAnalysis, classification: Classification, unit: str | None, at_roofline: bool) -> str:
    bound = classification.bound
    if bound is Bound.INCONCLUSIVE:
        return f"Inconclusive: {classification.note or 'the counters are missing'}"
    load = limiter(kernel, bound)
    busy = _of_peak(load.busy) if load is not None and load.unit == unit else ""
    name = UNIT_NAMES.get(unit or "", unit or "")
    if at_roofline:
        return f"At the roof of {name}{busy}"
    if bound is Bound.LATENCY:
        return _latency(load, name, busy) if name else "Latency-bound"
    if bound is Bound.BALANCED:
        busiest = f" (busiest: {name}{busy})" if name else ""
        return f"Balanced: SM and memory are about equally busy{busiest}"
    return f"{bound.value.capitalize()}-bound by {name}{busy}" if name else f"{bound.value.capitalize()}-bound"


def _of_peak(busy: float) -> str:
    return f" at {100 * busy:.0f}% of peak" if busy >= 0.005 else " below 1% of peak"


def _latency(load: Load | None, name: str, busy: str) -> str:
    """ncu's two throughputs may leave out the busiest unit's own: then the sentence must not say that none is busy."""
    if load is not None and busy and 100 * load.busy >= LATENCY_PCT:
        return f"Latency-bound by ncu's SM and memory throughput, which leave out its busiest unit: {name}{busy}"
    return f"Latency-bound: no unit is busy enough (busiest: {name}{busy})"


def story_of(
    kernels: Sequence[KernelDiagnosis],
    findings: Sequence[Finding],
    total_ns: float | None,
) -> str:
    """What was profiled, where the time goes, and where the next hour pays most."""
    if not kernels:
        return "No kernels were profiled."
    if total_ns is None:
        return f"{_count(kernels)}, none with a duration{_averages(kernels)}."
    labels, together = labels_of(kernels), alike(kernels)
    failed = sum(item.duration_ns is None and item.bound is Bound.INCONCLUSIVE for item in kernels)
    without = f", {failed} of them without data" if failed else ""
    parts = [f"{_count(kernels)} in {_time(total_ns)}{without}{_averages(kernels)}."]
    if len(kernels) > 1:
        parts.append(_largest(together, labels))
    parts.append(_where_to_spend(kernels, together, labels))
    parts += [f"Over the whole report: {finding.message}" for finding in findings if finding.kind == "cause"][:1]
    return " ".join(part for part in parts if part)


def _largest(together: Sequence[Sequence[KernelDiagnosis]], labels: Mapping[str, str]) -> str:
    shares = [(sum(item.time_share_pct or 0.0 for item in items), items) for items in together]
    share, items = max(shares, key=lambda pair: pair[0])
    launches = f" in {len(items)} launches" if len(items) > 1 else ""
    return f"{label_of(items, labels)} takes {share:.0f}% of it{launches}."


def _where_to_spend(
    kernels: Sequence[KernelDiagnosis],
    together: Sequence[Sequence[KernelDiagnosis]],
    labels: Mapping[str, str],
) -> str:
    best = max(together, key=saved_pct)
    first = next((f for f in best[0].findings if f.speedup is not None), None)
    if first is not None and saved_pct(best) >= WORTH_PCT:
        return (
            f"The change that pays most: {first.phrase} in {label_of(best, labels)}, "
            f"about {_times(first)} on that kernel, {saved_pct(best):.0f}% of the total."
        )
    if all(item.bound is Bound.INCONCLUSIVE for item in kernels):
        return "What bounds them, this report does not show." if len(kernels) > 1 else ""
    roofs = sum(item.at_roofline for item in kernels)
    reached = "It is at its roof" if roofs == len(kernels) == 1 else f"{roofs} of {len(kernels)} at their roof"
    judged = roofs == len(kernels) or any(item.stalls is not None for item in kernels)
    known = "no change inside a kernel pays" if judged else NOTHING_PROVED
    return f"{reached if roofs else 'None is at its roof'}; {known} more than {WORTH_PCT}% of the total."


def averaged(invocations: int, total_ns: float | None) -> str:
    """A sentence before the verdict on what stands for several launches; empty for a launch of its own."""
    if invocations == 1:
        return ""
    return f"The average of {invocations:,} launches{f', {_time(total_ns)} in all' if total_ns else ''}. "


def _count(kernels: Sequence[KernelDiagnosis]) -> str:
    number = sum(kernel.invocations for kernel in kernels)
    return "One kernel launch" if number == 1 else f"{number} kernel launches"


def _averages(kernels: Sequence[KernelDiagnosis]) -> str:
    """What is said of launches that are not shown one by one."""
    if all(kernel.invocations == 1 for kernel in kernels):
        return ""
    return f", shown as {len(kernels)} average{'s' if len(kernels) > 1 else ''}"


def _time(ns: float) -> str:
    for scale, unit in ((1e9, "s"), (1e6, "ms"), (1e3, "µs")):
        if ns >= 0.9995 * scale:
            return f"{ns / scale:.3g} {unit}"
    return f"{ns:.3g} ns"
