"""Two utilisations, two denominators: what the operator needs, and how busy the machine is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ncuanalyze.diagnosis import Utilization
from ncuanalyze.modelling.ceilings import floor_ns, ridge_flop_per_byte
from ncuanalyze.modelling.practice import Good, limit, practice_of
from ncuanalyze.modelling.wording import digits, si_text, time_text
from ncuanalyze.modelling.work import Work
from ncuanalyze.modelling.workload import Workload


def utilization_of(
    workload: Workload,
    *,
    duration_ns: float,
    peak_flop_per_s: float,
    peak_bytes_per_s: float,
    measured_bytes: float | None = None,
    measured_flop: float | None = None,
    hardware_bandwidth_pct: float | None = None,
    hardware_flop_pct: float | None = None,
) -> Utilization:
    """Algorithmic beside hardware utilisation of one launch, and the waste between them.

    ``peak_*`` are of the GPU in device memory and in the precision that the operator uses. ``measured_bytes``
    is the traffic of device memory (``dram__bytes_read + dram__bytes_write``), ``measured_flop`` the executed
    operations. Without measured bytes, the extra traffic is taken from the two bandwidth percentages.
    """
    case = _Case(
        work=workload.work,
        duration_ns=duration_ns,
        peak_flop_per_s=peak_flop_per_s,
        peak_bytes_per_s=peak_bytes_per_s,
        measured_bytes=measured_bytes,
        measured_flop=measured_flop,
        hardware_bandwidth_pct=hardware_bandwidth_pct,
    )
    practice = practice_of(workload.operator.practice)
    good = practice.good_for(bound=case.bound, smallest_dimension=case.work.smallest_dimension)
    return Utilization(
        operator=workload.text,
        algorithmic_flop=case.work.flop,
        algorithmic_bytes=case.work.bytes,
        algorithmic_flop_pct=case.flop_pct,
        algorithmic_bandwidth_pct=case.bandwidth_pct,
        hardware_flop_pct=hardware_flop_pct,
        hardware_bandwidth_pct=hardware_bandwidth_pct,
        extra_bytes_factor=case.extra_bytes,
        extra_flop_factor=case.extra_flop,
        floor_ns=case.floor_ns,
        good=good.text,
        reading=tuple(_reading(case, good, practice.levers)),
    )


@dataclass(frozen=True, kw_only=True)
class _Case:
    """The numbers of one launch and what follows from them; percentages are 0-100."""

    work: Work
    duration_ns: float
    peak_flop_per_s: float
    peak_bytes_per_s: float
    measured_bytes: float | None
    measured_flop: float | None
    hardware_bandwidth_pct: float | None

    @property
    def bound(self) -> str:
        ridge = ridge_flop_per_byte(self.peak_flop_per_s, self.peak_bytes_per_s)
        return "memory" if self.work.flop_per_byte < ridge else "compute"

    @property
    def floor_ns(self) -> float:
        return floor_ns(self.work.flop, self.work.bytes, self.peak_flop_per_s, self.peak_bytes_per_s)

    @property
    def bandwidth_pct(self) -> float:
        return 100e9 * self.work.bytes / self.duration_ns / self.peak_bytes_per_s

    @property
    def flop_pct(self) -> float:
        return 100e9 * self.work.flop / self.duration_ns / self.peak_flop_per_s

    @property
    def bound_pct(self) -> float:
        return 100 * self.floor_ns / self.duration_ns

    @property
    def extra_bytes(self) -> float | None:
        if not self.work.bytes:
            return None
        if self.measured_bytes is not None:
            return self.measured_bytes / self.work.bytes
        busy = self.hardware_bandwidth_pct
        return None if busy is None else busy / self.bandwidth_pct

    @property
    def extra_flop(self) -> float | None:
        executed = self.measured_flop
        return executed / self.work.flop if executed is not None and self.work.flop else None


def _reading(case: _Case, good: Good, levers: tuple[str, ...]) -> Iterator[str]:
    yield _needs(case.work.bytes, "B", case.bandwidth_pct, case, "of the memory bandwidth")
    if case.bound == "compute":
        yield _needs(case.work.flop, "FLOP", case.flop_pct, case, "of the peak rate")
    if (extra := case.extra_bytes) is not None:
        yield from _moved(case, extra)
    if (executed := case.extra_flop) is not None and executed >= limit("flop_waste_factor"):
        yield f"it executes {executed:.1f}x the FLOP of the operator: padded tiles or work done twice"
    floor, share = time_text(case.floor_ns), digits(case.bound_pct)
    yield f"the floor is {floor}: it runs at {share}% of its bound; good is {good.text}"
    reached = {"bandwidth": case.bandwidth_pct, "flop": case.flop_pct, "bound": case.bound_pct}[good.measure]
    if good.pct and reached < good.pct:
        for lever in levers:
            yield f"try: {lever}"


def _needs(amount: float, unit: str, pct: float, case: _Case, of: str) -> str:
    rate = si_text(1e9 * amount / case.duration_ns, f"{unit}/s")
    return f"the operator needs {si_text(amount, unit)}: {rate}, {digits(pct)}% {of} (algorithmic)"


def _moved(case: _Case, extra: float) -> Iterator[str]:
    waste = limit("byte_waste_factor")
    if case.measured_bytes is None:
        busy = digits(case.hardware_bandwidth_pct or 0.0)
        if extra >= waste:
            yield (
                f"the memory system is {busy}% busy (hardware), {extra:.1f}x what the operator needs: "
                f"about {extra:.0f}x the compulsory traffic moves"
            )
        return
    moved = si_text(case.measured_bytes, "B")
    why = "no extra traffic"
    if extra >= waste:
        why = "re-reads, spills or partial sectors"
    elif extra < 1 / waste:
        why = "part of its tensors was or stayed in L2, or lies outside device memory"
    yield f"device memory moves {moved}, {extra:.2f}x what the operator needs: {why}"
