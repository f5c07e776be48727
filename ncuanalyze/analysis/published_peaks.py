"""Published peaks beside the report's: used where it has none, and compared with it where it has."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from ncuanalyze.analysis.counter import Peak, clock_hz
from ncuanalyze.analysis.roofline_data import threshold
from ncuanalyze.diagnosis.measured import Roof
from ncuanalyze.errors import InvalidInput
from ncuanalyze.profile import KernelLaunch
from ncuanalyze.specs import ComputePeak, GpuSpec, spec_for_device

REPORT = "report"  # ``Roof.source`` of a peak that the report itself gives
SPEC_PRECISION = {"FP8/FP6/FP4": "fp8", "FP6/FP4": "fp6"}  # the published name of a combined counter's rate


def spec_of(launch: KernelLaunch) -> GpuSpec | None:
    """The published data of the launch's GPU; None where its name is unknown."""
    return _spec(launch.device.name, launch.device.compute_capability)


def published_compute_peak(
    launch: KernelLaunch, precision: str, path: str, accumulator: str = ""
) -> Peak | None:
    """The published dense rate a cycle and SM, times the SMs and the clock that the report saw."""
    spec, clock = spec_of(launch), clock_hz(launch, "sm")
    rate = _rate(spec, precision, path, accumulator) if spec else None
    if spec is None or rate is None or clock is None:
        return None
    sm_count, (hz, clock_metric) = launch.device.sm_count or spec.sm_count, clock
    return Peak(
        per_s=rate.flop_per_cycle_per_sm * sm_count * hz,
        formula=(
            f"{spec.name}: {rate.flop_per_cycle_per_sm:,.0f} FLOP/cycle/SM (published) × {sm_count} SM"
            f" × {clock_metric} ({hz / 1e9:.4g} GHz)"
        ),
        counters=(clock_metric,),
        clock_hz=hz,
    )


def mismatches(launch: KernelLaunch, roofs: Sequence[Roof]) -> Iterator[str]:
    """A sentence for each roof whose peak in the report is far from the published one.

    Compute roofs are compared a cycle and SM, so that the clock does not matter; only dense rates of the
    fastest path are published.
    """
    spec = spec_of(launch)
    for roof in roofs if spec else ():
        ratio = _ratio(launch, spec, roof) if spec and roof.source == REPORT else None
        if spec and ratio is not None and abs(ratio - 1) > threshold("peak_mismatch"):
            yield (
                f"{roof.name}: the report's peak is {100 * ratio:.0f} % of the one published for {spec.name};"
                " the report's is used"
            )


def _ratio(launch: KernelLaunch, spec: GpuSpec, roof: Roof) -> float | None:
    if roof.kind == "memory":
        return roof.per_s / spec.memory_bytes_per_s if roof.level == "dram" else None
    path = "tensor" if "tensor" in roof.name else "fma"
    if roof.name not in {f"{roof.level} tensor", f"{roof.level} FMA"} or not roof.clock_hz:
        return None
    rate, sm_count = _rate(spec, roof.level, path, ""), launch.device.sm_count or spec.sm_count
    return roof.per_s / roof.clock_hz / sm_count / rate.flop_per_cycle_per_sm if rate else None


@cache
def _spec(name: str | None, compute_capability: tuple[int, int] | None) -> GpuSpec | None:
    return spec_for_device(name, compute_capability)


def _rate(spec: GpuSpec, precision: str, path: str, accumulator: str) -> ComputePeak | None:
    name = SPEC_PRECISION.get(precision, precision.lower())
    try:
        return spec.peak(name, path=path, accumulator=accumulator.lower() or None)
    except InvalidInput:
        return None
