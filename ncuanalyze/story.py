"""The sentences that a reader reads first: one a kernel, one paragraph a report."""

from __future__ import annotations

from collections.abc import Sequence

from ncuanalyze.analysis.kernel import KernelAnalysis
from ncuanalyze.bound import Classification, limiter
from ncuanalyze.diagnosis import Bound, Finding, KernelDiagnosis, KernelGroup

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
        return f"{state}; only less work makes it faster."
    best = next((f for f in findings if f.kind == "cause" and f.speedup is not None), None)
    if best is None and open_question:
        return f"{state}, about what it sustains; whether all of its work is useful the report does not show."
    if best is None:
        return f"{state}; no single cause stands out." if classification.bound is not Bound.INCONCLUSIVE else state
    return f"{state}. Fix first: {best.phrase}, about {_times(best)}."


def _times(finding: Finding) -> str:
    return f"{finding.speedup.estimate:.2g}x" if finding.speedup is not None else "an unknown factor"


def _state(kernel: KernelAnalysis, classification: Classification, unit: str | None, at_roofline: bool) -> str:
    bound = classification.bound
    if bound is Bound.INCONCLUSIVE:
        return f"Inconclusive: {classification.note or 'the counters are missing'}"
    load = limiter(kernel, bound)
    busy = f" at {100 * load.busy:.0f}% of peak" if load is not None and load.unit == unit else ""
    name = UNIT_NAMES.get(unit or "", unit or "")
    if at_roofline:
        return f"At the roof of {name}{busy}"
    if bound is Bound.LATENCY:
        return f"Latency-bound: no unit is busy enough (busiest: {name}{busy})" if name else "Latency-bound"
    if bound is Bound.BALANCED:
        busiest = f" (busiest: {name}{busy})" if name else ""
        return f"Balanced: SM and memory are about equally busy{busiest}"
    return f"{bound.value.capitalize()}-bound by {name}{busy}" if name else f"{bound.value.capitalize()}-bound"


def story_of(
    kernels: Sequence[KernelDiagnosis],
    groups: Sequence[KernelGroup],
    findings: Sequence[Finding],
    total_ns: float | None,
) -> str:
    """What was profiled, where the time goes, and where the next hour pays most."""
    if not kernels:
        return "No kernels were profiled."
    if total_ns is None:
        return f"{_count(len(kernels))}, none with a duration."
    parts = [f"{_count(len(kernels))} in {_time(total_ns)}."]
    slowest = max(kernels, key=lambda item: item.time_share_pct or 0.0)
    if len(kernels) > 1:
        parts.append(f"{slowest.kernel.name} takes {slowest.time_share_pct or 0:.0f}% of it.")
    parts.append(_where_to_spend(kernels))
    parts += [f"Over the whole report: {finding.message}" for finding in findings if finding.kind == "cause"][:1]
    return " ".join(part for part in parts if part)


def _where_to_spend(kernels: Sequence[KernelDiagnosis]) -> str:
    best = max(kernels, key=lambda item: item.saved_pct)
    first = next((f for f in best.findings if f.speedup is not None), None)
    if first is None or best.saved_pct < 2:
        roofs = sum(item.at_roofline for item in kernels)
        reached = "It is at its roof" if roofs == len(kernels) == 1 else f"{roofs} of {len(kernels)} at their roof"
        return f"{reached if roofs else 'None is at its roof'}; no change here pays more than 2% of the total."
    return (
        f"The change that pays most: {first.phrase} in {best.kernel.name}, "
        f"about {_times(first)} on that kernel, {best.saved_pct:.0f}% of the total."
    )


def _count(number: int) -> str:
    return "One kernel launch" if number == 1 else f"{number} kernel launches"


def _time(ns: float) -> str:
    for scale, unit in ((1e9, "s"), (1e6, "ms"), (1e3, "µs")):
        if ns >= 0.9995 * scale:
            return f"{ns / scale:.3g} {unit}"
    return f"{ns:.3g} ns"
