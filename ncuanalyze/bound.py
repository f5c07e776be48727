"""What bounds a kernel: the classification, its evidence, the limiting unit, and ncu's own verdict beside it."""

from __future__ import annotations

from ncuanalyze import metrics as m
from ncuanalyze.analysis.host import busiest_link
from ncuanalyze.analysis.kernel import KernelAnalysis
from ncuanalyze.analysis.speed_of_light import Load, dominant_pipe
from ncuanalyze.diagnosis import Bound, Evidence
from ncuanalyze.record import record

SATURATED_PCT = 80.0
LATENCY_PCT = 60.0
BALANCED_POINTS = 10.0
PIPE_SHARE_OF_ISSUE = 0.8
"""A pipe that takes this share of the issued instructions is named instead of the issue slots: without every other
instruction the kernel would gain at most 1 / 0.8."""
OWN_MARGIN = 0.10
"""``lts__throughput`` includes counters that follow DRAM traffic; it names L2 only this far above the others."""


_BOTH_SATURATED = "SM and memory are both saturated: whichever is sped up, the other stops the kernel next"


@record
class Classification:
    """The bound with the comparisons that made it, and a note where it needs one."""

    bound: Bound
    evidence: tuple[Evidence, ...]
    note: str = ""


def classify(kernel: KernelAnalysis) -> Classification:
    """The bound of one kernel by ncu's thresholds: 80 % saturated, 60 % latency, 10 points balanced.

    Where both sides are saturated ncu names none; here it is the one nearer to what its unit sustains.
    """
    sm, memory = kernel.units.sm_pct, kernel.units.memory_pct
    if kernel.launch.failed:
        return Classification(bound=Bound.INCONCLUSIVE, evidence=(), note="the launch failed")
    if sm is None or memory is None:
        note = "SM and memory throughput are missing"
        if sm is not None or memory is not None:
            note = f"{'SM' if sm is None else 'memory'} throughput is missing"
        return Classification(bound=Bound.INCONCLUSIVE, evidence=(), note=note)
    return _overruled(kernel, sm, memory) or _by_thresholds(kernel, sm, memory)


def _by_thresholds(kernel: KernelAnalysis, sm: float, memory: float) -> Classification:
    compute = _nearer_is_compute(kernel) if min(sm, memory) >= SATURATED_PCT else sm > memory
    larger = Bound.COMPUTE if compute else Bound.MEMORY
    ref, value = (m.SM_THROUGHPUT, sm) if compute else (m.MEMORY_THROUGHPUT, memory)
    if value >= SATURATED_PCT:
        evidence = _against(kernel, ref, value, ">=", SATURATED_PCT)
        both = min(sm, memory) >= SATURATED_PCT
        return Classification(bound=larger, evidence=(evidence,), note=_BOTH_SATURATED if both else "")
    if value < LATENCY_PCT:
        return _latency(kernel, sm, memory)
    gap = Evidence(
        label="gap between SM and memory throughput",
        metric=f"|{kernel.name_of(m.SM_THROUGHPUT)} - {kernel.name_of(m.MEMORY_THROUGHPUT)}|",
        value=abs(sm - memory),
        unit="%",
        relation=">=" if abs(sm - memory) >= BALANCED_POINTS else "<",
        limit=BALANCED_POINTS,
    )
    bound = larger if abs(sm - memory) >= BALANCED_POINTS else Bound.BALANCED
    return Classification(bound=bound, evidence=(_against(kernel, ref, value, ">=", LATENCY_PCT), gap))


def _nearer_is_compute(kernel: KernelAnalysis) -> bool:
    """Both sides saturated: the one whose busiest unit is nearer to what that unit sustains in practice."""
    sm, memory = kernel.units.busiest("sm"), kernel.units.busiest("memory")
    if sm is None or memory is None or not (sm.unit and memory.unit):
        return (kernel.units.sm_pct or 0.0) > (kernel.units.memory_pct or 0.0)
    return sm.busy / sm.counter.sustained_pct > memory.busy / memory.counter.sustained_pct


def _latency(kernel: KernelAnalysis, sm: float, memory: float) -> Classification:
    close = abs(sm - memory) < BALANCED_POINTS and min(sm, memory) >= 40
    note = (
        "SM and memory are about equally busy: more parallelism helps only until the next roof at 60-80 %"
        if close
        else ""
    )
    return Classification(
        bound=Bound.LATENCY,
        evidence=(
            _against(kernel, m.SM_THROUGHPUT, sm, "<", LATENCY_PCT),
            _against(kernel, m.MEMORY_THROUGHPUT, memory, "<", LATENCY_PCT),
        ),
        note=note,
    )


def _against(kernel: KernelAnalysis, ref: m.MetricRef, value: float, relation: str, limit: float) -> Evidence:
    label = "SM throughput" if ref is m.SM_THROUGHPUT else "memory throughput"
    return Evidence(label=label, metric=kernel.name_of(ref), value=value, unit="%", relation=relation, limit=limit)


def _overruled(kernel: KernelAnalysis, sm: float, memory: float) -> Classification | None:
    """A verdict on evidence that the two throughputs do not hold: a tensor path or the host link at its ceiling."""
    tensor = kernel.tensor
    if tensor is not None and not tensor.is_issue_rate and _hidden(tensor.total_pct, sm, memory):
        evidence = Evidence(
            label=f"{tensor.precision} tensor operations against their own peak",
            metric=tensor.metric,
            value=tensor.total_pct,
            unit="%",
            relation=">=",
            limit=SATURATED_PCT,
        )
        note = "the tensor path is at the ceiling of its own precision, which SM throughput does not show"
        return Classification(bound=Bound.COMPUTE, evidence=(evidence,), note=note)
    link = busiest_link(kernel)
    if link is not None and link.share_pct >= SATURATED_PCT and max(sm, memory) < LATENCY_PCT:
        return Classification(
            bound=Bound.MEMORY,
            evidence=(link.evidence(SATURATED_PCT),),
            note="traffic over a link is at the link's ceiling, which memory throughput does not show",
        )
    return None


def _hidden(tensor_pct: float, sm: float, memory: float) -> bool:
    return tensor_pct >= SATURATED_PCT > max(sm, memory)


def limiter(kernel: KernelAnalysis, bound: Bound) -> Load | None:
    """The busiest unit of the side that bounds the kernel; of both sides for latency and balanced."""
    if bound is Bound.INCONCLUSIVE:
        return None
    side = {Bound.COMPUTE: ("sm",), Bound.MEMORY: ("memory",)}.get(bound, ("sm", "memory"))
    busiest = kernel.units.busiest(*side)
    own = kernel.units.busiest("own")
    if own is not None and "memory" in side and (busiest is None or own.busy >= busiest.busy + OWN_MARGIN):
        return own
    if busiest is not None and busiest.unit == "issue":
        return dominant_pipe(kernel.loads, PIPE_SHARE_OF_ISSUE) or busiest
    return busiest


def limiter_name(kernel: KernelAnalysis, bound: Bound) -> str | None:
    """The unit's name; ``host`` where host traffic, which no unit's counter shows, is what the kernel waits for.

    None where the report does not break the throughput down to the unit that makes it.
    """
    link = busiest_link(kernel)
    if link is not None and link.dominates:
        return link.unit
    load = limiter(kernel, bound)
    return None if load is None else load.unit or None
