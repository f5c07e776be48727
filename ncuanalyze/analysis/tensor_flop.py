"""Tensor Core work by precision and instruction path, from ``sm__ops_path_tensor_*``."""

from __future__ import annotations

from collections.abc import Iterator

from ncuanalyze.analysis.counter import Counter, Peak, duration_s, work_unit
from ncuanalyze.analysis.tensor_metrics import TensorCounter, instruction_family, tensor_counters
from ncuanalyze.diagnosis.measured import FlopCount
from ncuanalyze.profile import KernelLaunch
from ncuanalyze.record import record

REMAINDER_TOLERANCE = 1e-6  # of an aggregate: below it, the aggregate is the sum of its parts (rounding in exports)


@record
class Counted:
    """Operations that one counter alone accounts for: its own, less those of the counters that refine it."""

    counter: TensorCounter
    flop: float
    whole: bool  # False: the remainder of an aggregate whose parts were not all collected


def tensor_flop_counts(launch: KernelLaunch) -> tuple[FlopCount, ...]:
    """Tensor Core operations by precision, instruction path and sparsity; each counted once, none at zero."""
    return tuple(
        _tensor_count(launch, root, counted)
        for root in tensor_counters(launch)
        for counted in _counted(launch, root)
        if counted.flop > 0
    )


def has_tensor_counters(launch: KernelLaunch) -> bool:
    """Whether the report holds any Tensor Core operation counter, zero or not."""
    return any(_any_collected(launch, root) for root in tensor_counters(launch))


def best_path(
    launch: KernelLaunch, precision: str, accumulator: str = "", *, sparse: bool = False
) -> tuple[TensorCounter, Peak] | None:
    """The fastest tensor path of a precision on this chip and its peak; None where the report has none."""
    peaks = [
        (leaf, peak)
        for leaf in _leaves_of(launch, precision)
        if _fits(leaf, accumulator, sparse)
        and (peak := Counter(launch, leaf.metric).peak(unit_of_work=work_unit(precision)))
    ]
    return max(peaks, key=lambda item: item[1].per_s, default=None)


def _counted(launch: KernelLaunch, counter: TensorCounter) -> Iterator[Counted]:
    own = Counter(launch, counter.metric).total()
    if own == 0:
        return
    parts = [found for part in counter.parts for found in _counted(launch, part)]
    yield from parts
    rest = 0.0 if own is None else own - sum(part.flop for part in parts)
    if own is not None and rest > REMAINDER_TOLERANCE * own:
        yield Counted(counter=counter, flop=rest, whole=not parts)


def _any_collected(launch: KernelLaunch, counter: TensorCounter) -> bool:
    if Counter(launch, counter.metric).total() is not None:
        return True
    return any(_any_collected(launch, part) for part in counter.parts)


def _leaves_of(launch: KernelLaunch, precision: str) -> Iterator[TensorCounter]:
    for root in tensor_counters(launch):
        if root.precision == precision:
            yield from root.leaves()


def _fits(leaf: TensorCounter, accumulator: str, sparse: bool) -> bool:
    if (leaf.sparsity == "on") != sparse:
        return False
    return not accumulator or not leaf.accumulator or leaf.accumulator == accumulator


def _tensor_count(launch: KernelLaunch, root: TensorCounter, counted: Counted) -> FlopCount:
    counter = counted.counter
    source, sparse = Counter(launch, counter.metric), counter.sparsity == "on"
    peak = None if counter.peak_is_sparse else source.peak(unit_of_work=work_unit(counter.precision))
    per_s = source.per_s() if counted.whole else _rate(launch, counted.flop)
    pct = _percent(source, peak, per_s, whole=counted.whole)
    best = best_path(launch, counter.precision, counter.accumulator, sparse=sparse) if peak else None
    return FlopCount(
        precision=counter.precision,
        path="tensor",
        flop=counted.flop,
        peak_flop_per_s=peak.per_s if peak else None,
        utilization_pct=pct,
        basis=_tensor_basis(counter, source),
        accumulator=counter.accumulator.upper(),
        instruction=counter.instruction,
        sparse=sparse,
        counter=counter.metric,
        flop_per_s=per_s,
        best_path_pct=pct * peak.per_s / best[1].per_s if best and peak and pct is not None else pct,
    )


def _percent(source: Counter, peak: Peak | None, per_s: float | None, *, whole: bool) -> float | None:
    if peak is None:
        return None
    if whole and (pct := source.pct_of_peak()) is not None:
        return pct
    return None if per_s is None else 100 * per_s / peak.per_s


def _rate(launch: KernelLaunch, flop: float) -> float | None:
    seconds = duration_s(launch)
    return flop / seconds if seconds else None


def _tensor_basis(counter: TensorCounter, source: Counter) -> str:
    family = instruction_family(counter.instruction)
    words = [f"{counter.instruction} ({family})" if family else counter.instruction or "tensor path"]
    if counter.accumulator:
        words.append(f"{counter.accumulator.upper()} accumulate")
    if counter.sparsity:
        words.append("2:4 sparse, counted as dense" if counter.sparsity == "on" else "dense")
    if counter.peak_is_sparse:
        pct = source.pct_of_peak()
        read = "" if pct is None else f"; the counter reads {pct:.1f} % of the sparse rate, about {2 * pct:.0f} % dense"
        words.append(f"its peak includes 2:4 sparsity, dense percentage unknown{read}")
    return ", ".join(words)
