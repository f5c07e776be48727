"""The compute roofs of a launch: of the precisions it uses, and of those it could move to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ncuanalyze.analysis.counter import Counter, Peak, work_unit
from ncuanalyze.analysis.published_peaks import REPORT, published_compute_peak
from ncuanalyze.analysis.roofline_data import roofline_data, threshold
from ncuanalyze.analysis.tensor_flop import best_path
from ncuanalyze.analysis.tensor_metrics import TensorCounter, instruction_family
from ncuanalyze.analysis.thread_flop import thread_peak
from ncuanalyze.diagnosis.measured import FlopCount, Roof
from ncuanalyze.profile import KernelLaunch

FMA = "FMA "
FASTEST_PCT_TOLERANCE = 1.001  # two paths of one peak differ by rounding only


def compute_roofs(launch: KernelLaunch, used: Sequence[FlopCount]) -> tuple[Roof, ...]:
    """The roof of each count's path, then the neighbours of the busiest; none without a known peak."""
    roofs: dict[str, Roof] = {}
    for roof in (*_used_roofs(launch, used), *_neighbours(launch, used)):
        roofs.setdefault(roof.name, roof)
    return tuple(roofs.values())


def roof_name(count: FlopCount) -> str:
    """The label of the roof over a count: ``BF16 tensor``, ``INT8 tensor (mma.sync)``, ``FP32 FMA``."""
    if count.path != "tensor":
        return f"{count.precision} FMA"
    slower = _is_slower_path(count)
    return _tensor_name(
        count.precision,
        count.accumulator,
        sparse=count.sparse,
        instruction=count.instruction if slower else "",
    )


def _tensor_name(precision: str, accumulator: str, *, sparse: bool, instruction: str = "") -> str:
    family = instruction_family(instruction)
    return (
        f"{precision} tensor"
        + (", 2:4 sparse" if sparse else "")
        + (", FP16 accumulate" if accumulator == "FP16" else "")
        + (f" ({family or instruction})" if instruction else "")
    )


def _is_slower_path(count: FlopCount) -> bool:
    if count.utilization_pct is None or not count.best_path_pct:
        return False
    return count.utilization_pct > count.best_path_pct * FASTEST_PCT_TOLERANCE


def _used_roofs(launch: KernelLaunch, used: Sequence[FlopCount]) -> Iterator[Roof]:
    for count in used:
        own = _own_peak(launch, count)
        published = (
            None if own else published_compute_peak(launch, count.precision, count.path, count.accumulator)
        )
        if peak := own or published:
            roof = _roof(roof_name(count), count.precision, peak, used=True)
            yield replace(roof, source=REPORT if own else "published", achieved_per_s=count.flop_per_s)


def _own_peak(launch: KernelLaunch, count: FlopCount) -> Peak | None:
    if count.peak_flop_per_s is None:
        return None
    if count.path != "tensor":
        return thread_peak(launch, count.precision)
    return Counter(launch, count.counter).peak(unit_of_work=work_unit(count.precision))


def _neighbours(launch: KernelLaunch, used: Sequence[FlopCount]) -> Iterator[Roof]:
    table = roofline_data()["neighbours"]
    for count in used[:1]:
        if count.path == "tensor":
            yield from _faster_paths(launch, count)
        key = count.precision if count.path == "tensor" else FMA + count.precision
        for neighbour in table.get(key, ()):
            yield from _neighbour(launch, neighbour)
    if not used:
        for neighbour in table[""]:
            yield from _neighbour(launch, neighbour)


def _neighbour(launch: KernelLaunch, name: str) -> Iterator[Roof]:
    if name.startswith(FMA):
        precision = name.removeprefix(FMA)
        if peak := thread_peak(launch, precision):
            yield _roof(f"{precision} FMA", precision, peak, used=False)
    elif path := best_path(launch, name, "fp32") or best_path(launch, name):
        yield _tensor_roof(*path)


def _faster_paths(launch: KernelLaunch, count: FlopCount) -> Iterator[Roof]:
    accumulator = count.accumulator.lower()
    path = best_path(launch, count.precision, accumulator, sparse=count.sparse)
    if path and _is_slower_path(count):
        yield _tensor_roof(*path)
    halved = best_path(launch, count.precision, "fp16", sparse=count.sparse)
    if not path or not halved or accumulator != "fp32" or halved[0].accumulator != "fp16":
        return
    if halved[1].per_s > threshold("accumulator_gain") * path[1].per_s:
        yield _tensor_roof(*halved)


def _tensor_roof(counter: TensorCounter, peak: Peak) -> Roof:
    name = _tensor_name(counter.precision, counter.accumulator.upper(), sparse=counter.sparsity == "on")
    return _roof(name, counter.precision, peak, used=False)


def _roof(name: str, precision: str, peak: Peak, *, used: bool) -> Roof:
    return Roof(
        name=name,
        kind="compute",
        level=precision,
        per_s=peak.per_s,
        formula=peak.formula,
        counters=peak.counters,
        clock_hz=peak.clock_hz,
        used=used,
    )
