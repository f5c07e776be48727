"""Counters that cannot be trusted in this kernel, named so that nobody builds on them."""

from __future__ import annotations

from collections.abc import Sequence

from ncuanalyze import metrics as m
from ncuanalyze.analysis.kernel import KernelAnalysis
from ncuanalyze.diagnosis import Evidence

STEADY_NS = 20_000.0
"""Below this, passes of one kernel may not agree (NVIDIA's profiling guide: steady state needs about 20 us)."""
OVER_PCT = 105.0
"""Sustained-rate percentages may pass 100 % slightly (profiling guide); beyond this the value is wrong."""

_HIT_RATES = (m.L1_HIT_RATE, m.L2_HIT_RATE, m.GLOBAL_LOAD_HIT_RATE)
_THROUGHPUTS = (m.SM_THROUGHPUT, m.MEMORY_THROUGHPUT, m.L1_THROUGHPUT, m.L2_THROUGHPUT, m.DRAM_THROUGHPUT)


def unreliable(analysis: KernelAnalysis, ref: m.MetricRef) -> str:
    """Why a value is out of its range, or an empty text."""
    value = analysis.number(ref)
    if value is None:
        return ""
    if ref in _HIT_RATES and not 0 <= value <= 100:
        return f"{ref.name} reads {value:.4g}%, outside 0-100 %: too little traffic, or passes that differ"
    if ref in _THROUGHPUTS and value > OVER_PCT:
        return f"{ref.name} reads {value:.4g}%, above 100 %: the kernel is too short for its passes to agree"
    return ""


def doubtful(analysis: KernelAnalysis, evidence: Sequence[Evidence]) -> bool:
    """Whether a finding stands on a value out of its range: a throughput (all gains do), or a hit rate it shows."""
    shown = " ".join(item.metric for item in evidence)
    throughputs = any(unreliable(analysis, ref) for ref in _THROUGHPUTS)
    return throughputs or any(unreliable(analysis, ref) for ref in _HIT_RATES if ref.name in shown)


def warnings_of(analysis: KernelAnalysis) -> tuple[str, ...]:
    """One line for each value out of range, and one for a kernel too short for a steady state."""
    lines = [text for ref in (*_HIT_RATES, *_THROUGHPUTS) if (text := unreliable(analysis, ref))]
    duration = analysis.duration_ns
    if duration is not None and 0 < duration < STEADY_NS and lines:
        lines.append(f"the kernel runs {duration / 1000:.3g} µs: counters of different passes may disagree")
    return tuple(lines)
