"""The model of one operator on one GPU: ceilings, floor time, what good means."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ncuanalyze.modelling.ceilings import attainable_flop_per_s, floor_ns
from ncuanalyze.modelling.operators import Operator, find_operator
from ncuanalyze.modelling.practice import Good, limit, practice_of
from ncuanalyze.modelling.wording import time_text
from ncuanalyze.modelling.work import Work
from ncuanalyze.specs import ComputePeak, GpuSpec, spec_for_name


@dataclass(frozen=True, kw_only=True)
class L2Estimate:
    """The same work seen from L2. ``floor_ns`` is None where the GPU's L2 bandwidth is not published."""

    bytes: float
    flop_per_byte: float
    bytes_per_s: float | None
    floor_ns: float | None


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """One operator on one GPU. Times in ns, rates per second; percentages are 0-100.

    ``unfused_ns`` is the floor of the kernels that this one replaces, ``fused_ns`` that of the fused kernel
    that could replace this one, where they are modelled.
    """

    operator: str
    parameters: dict[str, str]
    gpu: str
    gpu_key: str
    flop: float
    bytes: float
    read_bytes: float
    write_bytes: float
    flop_per_byte: float
    peak_name: str
    peak_flop_per_s: float
    memory_bytes_per_s: float
    ridge_flop_per_byte: float
    bound: str
    attainable_flop_per_s: float
    attainable_pct: float
    compute_ns: float
    memory_ns: float
    floor_ns: float
    good: Good
    good_ns: float | None
    l2: L2Estimate | None
    unfused_bytes: float | None
    unfused_ns: float | None
    fused_ns: float | None
    formulas: dict[str, str]
    notes: tuple[str, ...]


def estimate(
    operator: str | Operator,
    parameters: Mapping[str, object],
    gpu: str | GpuSpec,
    *,
    accumulator: str | None = None,
) -> Estimate:
    """Model an operator, such as ``estimate("gemm", {"m": 4096, "n": 4096, "k": 4096}, "h100")``.

    Raises ``InvalidInput`` for an unknown operator, size or GPU, and where the GPU lacks the precision.
    """
    found = find_operator(operator) if isinstance(operator, str) else operator
    spec = spec_for_name(gpu) if isinstance(gpu, str) else gpu
    values = found.values(parameters)
    work = found.count(values)
    peak = spec.peak(work.precision, path=work.path or None, accumulator=accumulator)
    return _estimate(found, found.chosen(values), work, spec, peak)


def _estimate(operator: Operator, parameters: dict[str, str], work: Work, spec: GpuSpec, peak: ComputePeak) -> Estimate:
    rate, bandwidth = peak.flop_per_s, spec.memory_bytes_per_s
    ridge = spec.ridge_flop_per_byte(peak)
    bound = "memory" if work.flop_per_byte < ridge else "compute"
    attainable = attainable_flop_per_s(rate, bandwidth, work.flop_per_byte)
    floor = floor_ns(work.flop, work.bytes, rate, bandwidth)
    good = practice_of(operator.practice).good_for(bound=bound, smallest_dimension=work.smallest_dimension)
    return Estimate(
        operator=operator.name,
        parameters=parameters,
        gpu=spec.name,
        gpu_key=spec.key,
        flop=work.flop,
        bytes=work.bytes,
        read_bytes=work.read_bytes,
        write_bytes=work.write_bytes,
        flop_per_byte=work.flop_per_byte,
        peak_name=peak.label,
        peak_flop_per_s=rate,
        memory_bytes_per_s=bandwidth,
        ridge_flop_per_byte=ridge,
        bound=bound,
        attainable_flop_per_s=attainable,
        attainable_pct=100 * attainable / rate,
        compute_ns=1e9 * work.flop / rate,
        memory_ns=1e9 * work.bytes / bandwidth,
        floor_ns=floor,
        good=good,
        good_ns=100 * floor / good.pct if good.pct else None,
        l2=_l2(work, spec, rate),
        unfused_bytes=sum(step.bytes for step in work.unfused) if work.unfused else None,
        unfused_ns=_unfused_ns(work, rate, bandwidth),
        fused_ns=floor_ns(work.flop, work.fused_bytes, rate, bandwidth) if work.fused_bytes else None,
        formulas=work.formulas,
        notes=tuple(_notes(work, spec, peak, floor)),
    )


def _l2(work: Work, spec: GpuSpec, rate: float) -> L2Estimate | None:
    if work.l2_bytes is None or work.flop_per_l2_byte is None:
        return None
    bandwidth = spec.l2_bytes_per_s
    return L2Estimate(
        bytes=work.l2_bytes,
        flop_per_byte=work.flop_per_l2_byte,
        bytes_per_s=bandwidth,
        floor_ns=floor_ns(work.flop, work.l2_bytes, rate, bandwidth) if bandwidth else None,
    )


def _unfused_ns(work: Work, rate: float, bandwidth: float) -> float | None:
    """Each kernel at its own floor; elementwise steps are taken as memory-bound."""
    if not work.unfused:
        return None
    return sum(floor_ns(step.flop, step.bytes, rate, bandwidth) for step in work.unfused)


def _notes(work: Work, spec: GpuSpec, peak: ComputePeak, floor: float) -> Iterable[str]:
    yield from work.notes
    l2, memory = spec.figures.get("l2_bytes"), spec.figures["memory_bytes"]
    if work.bytes > memory.value:
        yield f"{work.bytes / 1e9:.0f} GB do not fit in the {memory.value / 1e9:.0f} GB of the {spec.name}"
    elif l2 and work.bytes < l2.value:
        yield (
            f"the tensors fit in the L2 of the {spec.name} ({l2.value / 2**20:.0f} MB): "
            "a warm run can beat the DRAM floor"
        )
    if floor < limit("launch_ns"):
        launch = time_text(limit("launch_ns"))
        yield f"the floor is below a kernel launch (about {launch}): fuse it or use a CUDA graph"
    if peak.precision == "fp32" and work.path == "":
        tf32 = next((other for other in spec.peaks if other.precision == "tf32"), None)
        if tf32 and tf32.flop_per_s > 1.5 * peak.flop_per_s:
            faster = tf32.flop_per_s / peak.flop_per_s
            yield f"FP32 runs on CUDA cores; TF32 on Tensor Cores is {faster:.1f}x faster"
