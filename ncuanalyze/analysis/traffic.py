"""Totals that reports hold only in parts: sectors and wavefronts of L1, bytes of DRAM."""

from __future__ import annotations

from ncuanalyze import metrics as m
from ncuanalyze.analysis.reading import first_number
from ncuanalyze.profile import KernelLaunch

_L1_PARTS = (
    m.GLOBAL_LOAD_SECTORS,
    m.GLOBAL_STORE_SECTORS,
    m.LOCAL_LOAD_SECTORS,
    m.LOCAL_STORE_SECTORS,
)


def l1_sectors(launch: KernelLaunch) -> float | None:
    """Sectors looked up in L1: counted, or the sum of global and local loads and stores; None where none is known."""
    total = first_number(launch, m.L1_SECTORS)
    if total is not None:
        return total
    parts = [value for ref in _L1_PARTS if (value := first_number(launch, ref)) is not None]
    return sum(parts) if parts else None


def shared_wavefront_share(launch: KernelLaunch) -> float | None:
    """Share (0-1) of the L1 data stage's wavefronts that are shared memory's."""
    total, shared = first_number(launch, m.L1_WAVEFRONTS), first_number(launch, m.SHARED_WAVEFRONTS_MEASURED)
    if total and shared is not None:
        return min(1.0, shared / total)
    total_pct, shared_pct = (
        first_number(launch, m.L1_WAVEFRONTS_PCT),
        first_number(launch, m.SHARED_WAVEFRONTS_PCT),
    )
    return min(1.0, shared_pct / total_pct) if total_pct and shared_pct is not None else None


def l1_wavefronts(launch: KernelLaunch) -> float | None:
    """Wavefronts of the L1 data stage: counted, or from shared memory's count and its share of the stage."""
    total = first_number(launch, m.L1_WAVEFRONTS)
    if total is not None:
        return total
    busy = first_number(launch, m.L1_WAVEFRONTS_PCT)
    cycles, sms = first_number(launch, m.SM_CYCLES_ELAPSED_MAX), first_number(launch, m.SM_COUNT)
    return busy / 100 * cycles * sms if busy is not None and cycles and sms else None


def dram_bytes(launch: KernelLaunch) -> float | None:
    """Bytes to and from DRAM: counted, or read plus written, or rate times duration."""
    total = first_number(launch, m.DRAM_BYTES)
    read, write = first_number(launch, m.DRAM_READ_BYTES), first_number(launch, m.DRAM_WRITE_BYTES)
    if total is None and read is not None and write is not None:
        return read + write
    rate, duration = first_number(launch, m.DRAM_BYTES_PER_S), launch.duration_ns
    if total is None and rate is not None and duration is not None:
        return rate * duration / 1e9
    return total
