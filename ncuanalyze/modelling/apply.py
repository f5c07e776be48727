"""Puts workloads on a diagnosis: the kernels they name get their two utilisations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ncuanalyze.diagnosis import Diagnosis, FlopCount, KernelDiagnosis, Roof
from ncuanalyze.errors import InvalidInput
from ncuanalyze.modelling.utilisation import utilization_of
from ncuanalyze.modelling.workload import Workload
from ncuanalyze.specs import GpuSpec, spec_for_device


def apply_workloads(diagnosis: Diagnosis, workloads: Sequence[Workload]) -> Diagnosis:
    """The diagnosis with ``utilization`` and the algorithmic point where a workload names the kernel.

    Peaks come from the report's own roofs, else from the GPU data. A workload that names no kernel, or
    several of one NVTX range, is a warning.
    """
    if not workloads:
        return diagnosis
    spec = _spec(diagnosis)
    kernels = tuple(_with_workload(item, workloads, spec) for item in diagnosis.kernels)
    warnings = tuple(line for workload in workloads for line in _warnings(workload, diagnosis.kernels))
    return replace(diagnosis, kernels=kernels, warnings=(*diagnosis.warnings, *warnings))


@dataclass(frozen=True, kw_only=True)
class _Peaks:
    flop_per_s: float
    bytes_per_s: float


def _spec(diagnosis: Diagnosis) -> GpuSpec | None:
    capability = diagnosis.device.compute_capability
    parts = capability.split(".") if capability else []
    pair = (int(parts[0]), int(parts[1])) if len(parts) == 2 and all(p.isdigit() for p in parts) else None
    return spec_for_device(diagnosis.device.name, pair)


def _names(item: KernelDiagnosis) -> tuple[str, ...]:
    return item.kernel.name, item.kernel.demangled, *item.kernel.nvtx


def _with_workload(item: KernelDiagnosis, workloads: Sequence[Workload], spec: GpuSpec | None) -> KernelDiagnosis:
    workload = next((candidate for candidate in workloads if candidate.matches(*_names(item))), None)
    if workload is None or not item.duration_ns:
        return item
    peaks = _peaks(item, workload, spec)
    if peaks is None:
        missing = f"the workload {workload.text} has no peaks to compare with: the report lacks them"
        return replace(item, warnings=(*item.warnings, missing))
    moved, busy_pct = _traffic(item)
    counts = _counts(item, workload)
    found = utilization_of(
        workload,
        duration_ns=item.duration_ns,
        peak_flop_per_s=peaks.flop_per_s,
        peak_bytes_per_s=peaks.bytes_per_s,
        measured_bytes=moved,
        measured_flop=sum(count.flop for count in counts) if counts else None,
        hardware_bandwidth_pct=busy_pct,
        hardware_flop_pct=max((c.utilization_pct for c in counts if c.utilization_pct is not None), default=None),
    )
    roofline = item.roofline and replace(
        item.roofline, algorithmic_flop=workload.work.flop, algorithmic_bytes=workload.work.bytes
    )
    return replace(item, utilization=found, roofline=roofline)


def _traffic(item: KernelDiagnosis) -> tuple[float | None, float | None]:
    """Bytes and load of device memory; without its counters, the load of the whole memory system."""
    levels = item.memory.levels if item.memory else ()
    dram = next((level for level in levels if level.level == "dram"), None)
    if dram is not None and dram.throughput_pct is not None:
        return dram.bytes, dram.throughput_pct
    return dram.bytes if dram else None, item.speed_of_light.memory_pct if item.speed_of_light else None


def _counts(item: KernelDiagnosis, workload: Workload) -> list[FlopCount]:
    """Executed FLOP in the operator's precision; elementwise work has no exact count to compare with."""
    if workload.work.path == "fma" or item.roofline is None:
        return []
    wanted = [count for count in item.roofline.flops if count.precision.lower() == workload.work.precision]
    return [count for count in wanted if count.path == "tensor"] or wanted


def _peaks(item: KernelDiagnosis, workload: Workload, spec: GpuSpec | None) -> _Peaks | None:
    roofs = item.roofline.roofs if item.roofline else ()
    bandwidth = next((roof.per_s for roof in roofs if roof.kind == "memory" and roof.level == "dram"), None)
    rate = max((roof.per_s for roof in roofs if _fits(roof, workload)), default=None)
    if spec is not None:
        bandwidth = bandwidth or spec.memory_bytes_per_s
        rate = rate or _published(spec, workload)
    return _Peaks(flop_per_s=rate, bytes_per_s=bandwidth) if rate and bandwidth else None


def _fits(roof: Roof, workload: Workload) -> bool:
    if roof.kind != "compute" or roof.level.lower() != workload.work.precision:
        return False
    return roof.name.endswith("FMA") if workload.work.path == "fma" else True


def _published(spec: GpuSpec, workload: Workload) -> float | None:
    try:
        return spec.peak(workload.work.precision, path=workload.work.path or None).flop_per_s
    except InvalidInput:
        return None


def _warnings(workload: Workload, kernels: Sequence[KernelDiagnosis]) -> list[str]:
    found = [item for item in kernels if workload.matches(*_names(item))]
    if not found:
        return [f"--workload {workload.pattern} names no kernel of the report"]
    by_range = [item.kernel.nvtx for item in found if not workload.matches(item.kernel.name, item.kernel.demangled)]
    return [
        f"--workload {workload.pattern} names an NVTX range of {by_range.count(path)} kernels: each is judged "
        "as if it did all the work"
        for path in dict.fromkeys(by_range)
        if by_range.count(path) > 1
    ]
