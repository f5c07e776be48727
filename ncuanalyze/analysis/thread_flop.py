"""Floating-point work outside the tensor pipes, from thread-level SASS counters."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ncuanalyze.analysis.counter import Counter, Peak
from ncuanalyze.data import table
from ncuanalyze.diagnosis.measured import FlopCount
from ncuanalyze.profile import KernelLaunch


def thread_flop_counts(launch: KernelLaunch) -> Iterator[FlopCount]:
    """FP32, FP64, FP16 and FP8 work counted by thread instructions; none at zero."""
    for precision, rule in _rules().items():
        count = _thread_count(launch, precision, rule)
        if count is not None and count.flop > 0:
            yield count


def _thread_count(launch: KernelLaunch, precision: str, rule: dict[str, Any]) -> FlopCount | None:
    counters = {name: counter for name in rule["weights"] if (counter := _thread_counter(launch, name))}
    if not counters:
        return None
    weights: dict[str, float] = rule["weights"]
    flop = sum(weights[name] * (counter.total() or 0.0) for name, counter in counters.items())
    rates = [weights[name] * (counter.per_s() or 0.0) for name, counter in counters.items()]
    peak, per_s = thread_peak(launch, precision), sum(rates)
    lost = [name for name in weights if name not in counters and name not in rule["optional"]]
    return FlopCount(
        precision=precision,
        path="fma",
        flop=flop,
        peak_flop_per_s=peak.per_s if peak else None,
        utilization_pct=100 * per_s / peak.per_s if peak else None,
        exact=not lost,
        basis=_thread_basis(weights, counters, lost),
        counter=next(iter(counters.values())).name,
        flop_per_s=per_s,
        best_path_pct=100 * per_s / peak.per_s if peak else None,
    )


def thread_peak(launch: KernelLaunch, precision: str) -> Peak | None:
    """A precision's ceiling outside the tensor pipes: its multiply-add's sustained rate times its FLOP."""
    rule = _rules()[precision]
    peaks = [
        peak
        for name in rule["peak"]
        for unit in ("sm", "smsp")
        if (
            peak := Counter(launch, _thread_metric(unit, name)).peak(
                scale=rule["weights"][name], unit_of_work="FLOP"
            )
        )
    ]
    return max(peaks, key=lambda peak: peak.per_s, default=None)


def _thread_counter(launch: KernelLaunch, name: str) -> Counter | None:
    for unit in ("smsp", "sm"):
        counter = Counter(launch, _thread_metric(unit, name))
        if counter.total() is not None:
            return counter
    return None


def _thread_metric(unit: str, name: str) -> str:
    return f"{unit}__sass_thread_inst_executed_op_{name}_pred_on"


def _thread_basis(weights: dict[str, float], counters: dict[str, Counter], lost: list[str]) -> str:
    text = " + ".join(f"{weights[name]:g} {name}" for name in counters)
    return f"{text} thread instructions" + (
        f"; {', '.join(lost)} not collected: a lower bound" if lost else ""
    )


def _rules() -> dict[str, dict[str, Any]]:
    return table("analysis", "flop_counters")
