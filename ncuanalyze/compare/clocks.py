"""Clocks as measured, and cycles of the clock domain that the kernel's limiter runs on."""

from __future__ import annotations

from dataclasses import dataclass

from ncuanalyze.compare.comparison import KernelSide
from ncuanalyze.compare.launches import finite

DRAM_LIMITERS = frozenset({"dram"})
UNCLOCKED_LIMITERS = frozenset({"host", "nvlink", "pcie"})


@dataclass(frozen=True, kw_only=True)
class Domain:
    """One clock domain on both sides: ``apart_pct`` is how far the clocks differ, new over base minus one."""

    name: str
    base_hz: float
    new_hz: float
    base_cycles: float
    new_cycles: float

    @property
    def apart_pct(self) -> float:
        """The change of the clock in %."""
        return 100.0 * (self.new_hz / self.base_hz - 1.0)

    @property
    def cycles_change_pct(self) -> float:
        """The change of the cycles in %."""
        return 100.0 * (self.new_cycles / self.base_cycles - 1.0)


def governing_domain(base: KernelSide, new: KernelSide) -> Domain | None:
    """The domain whose cycles count: DRAM where both sides are DRAM-limited, else SM.

    None where a clock is missing, or where the limit lies outside the GPU's clocks (host memory, links).
    """
    limiters = {base.diagnosis.limiter, new.diagnosis.limiter}
    if limiters <= UNCLOCKED_LIMITERS and None not in limiters:
        return None
    if limiters <= DRAM_LIMITERS and (dram := domain("DRAM", base, new)):
        return dram
    return domain("SM", base, new)


def domain(name: str, base: KernelSide, new: KernelSide) -> Domain | None:
    """The named domain on both sides (``SM`` or ``DRAM``); cycles are measured, or time times clock."""
    values = (_clock(name, base), _clock(name, new), _cycles(name, base), _cycles(name, new))
    if any(value is None or value <= 0 for value in values):
        return None
    base_hz, new_hz, base_cycles, new_cycles = (float(value or 0.0) for value in values)
    return Domain(name=name, base_hz=base_hz, new_hz=new_hz, base_cycles=base_cycles, new_cycles=new_cycles)


def _clock(name: str, side: KernelSide) -> float | None:
    clock = finite(side.dram_clock_hz if name == "DRAM" else side.sm_clock_hz)
    if clock is not None or name == "DRAM":
        return clock
    cycles, time = finite(side.cycles), side.spread.median_ns if side.spread else None
    return cycles / time * 1e9 if cycles is not None and time else None


def _cycles(name: str, side: KernelSide) -> float | None:
    if name == "SM" and (measured := finite(side.cycles)) is not None:
        return measured
    clock = _clock(name, side)
    return clock * side.spread.median_ns / 1e9 if clock is not None and side.spread else None
