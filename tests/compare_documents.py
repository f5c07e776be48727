"""Small diagnoses written out by hand, for the tests of comparison, gate and history."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ncuanalyze.diagnosis import (
    Bound,
    Device,
    Diagnosis,
    Finding,
    Kernel,
    KernelDiagnosis,
    MetricValue,
    Source,
    SourceLine,
    SpeedOfLight,
    Speedup,
    UnitLoad,
)

H200 = Device(name="NVIDIA H200", compute_capability="9.0", sm_count=132, chip="gh100")


def kernel(name: str = "gemm", duration_ns: float | None = 100_000.0, **fields: Any) -> KernelDiagnosis:
    """A launch; ``grid``, ``block``, ``nvtx``, ``demangled``, ``workload`` go to its Kernel."""
    identity = {key: fields.pop(key) for key in ("grid", "block", "nvtx", "workload") if key in fields}
    return KernelDiagnosis(
        kernel=Kernel(id="0", name=name, demangled=fields.pop("demangled", name), **identity),
        duration_ns=duration_ns,
        time_share_pct=None,
        cycles=fields.pop("cycles", None),
        bound=fields.pop("bound", Bound.MEMORY),
        bound_evidence=(),
        bound_note="",
        nvidia_verdict=None,
        limiter=fields.pop("limiter", None),
        at_roofline=fields.pop("at_roofline", False),
        summary="",
        **fields,
    )


def diagnosis(*kernels: KernelDiagnosis, device: Device = H200, **source: Any) -> Diagnosis:
    """A report of the launches; further fields describe its source."""
    settings = {"file": "report.ncu-rep", "format": "ncu-rep"} | source
    return Diagnosis(source=Source(**settings), device=device, kernels=kernels, tool="ncuanalyze test")


def launches(times_us: Iterable[float], name: str = "gemm", **fields: Any) -> tuple[KernelDiagnosis, ...]:
    """The same kernel launched once for each time in microseconds."""
    return tuple(kernel(name, 1e3 * time, **fields) for time in times_us)


def finding(id_: str, gain: float | None, *, line: int | None = None, **fields: Any) -> Finding:
    """A cause that promises ``gain`` (give or take a fifth)."""
    speedup = Speedup(low=max(1.0, gain * 0.8), estimate=gain, high=gain * 1.2) if gain else None
    lines = (SourceLine(file="src/gemm.cu", line=line, share_pct=80.0, counter="samples"),) if line else ()
    title = fields.pop("title", id_.replace("_", " ").capitalize())
    return Finding(id=id_, title=title, message=f"{title}.", speedup=speedup, source_lines=lines, **fields)


def units(**loads_pct: float) -> SpeedOfLight:
    """The speed of light with one load a unit, busiest first."""
    ordered = sorted(loads_pct.items(), key=lambda item: -item[1])
    loads = tuple(UnitLoad(unit=unit, metric=f"{unit}__throughput", pct=pct) for unit, pct in ordered)
    return SpeedOfLight(sm_pct=None, memory_pct=None, units=loads)


def instructions(count: float) -> tuple[MetricValue, ...]:
    """The metric that counts warp instructions."""
    return (MetricValue(name="smsp__inst_executed.sum", value=count, unit="inst"),)
