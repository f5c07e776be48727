"""The memory path: bytes, rates and hit rates of each level."""

from __future__ import annotations

from ncuanalyze import metrics as m
from ncuanalyze.analysis.reading import first_number
from ncuanalyze.analysis.traffic import dram_bytes, l1_sectors
from ncuanalyze.diagnosis import Memory, MemoryLevel
from ncuanalyze.profile import KernelLaunch

SECTOR_BYTES = 32
"""Bytes of a cache sector on every chip since Pascal (NVIDIA's profiling guide, memory tables)."""


def memory_of(launch: KernelLaunch) -> Memory | None:
    """The levels that the report has anything about, nearest first; None where it has nothing."""
    levels = (_l1(launch), _l2(launch), _dram(launch), _host(launch), _peer(launch), _local(launch))
    known = tuple(level for level in levels if level is not None)
    if not known:
        return None
    return Memory(
        levels=known,
        sectors_per_request_load=ratio(launch, m.GLOBAL_LOAD_SECTORS, m.GLOBAL_LOAD_REQUESTS),
        sectors_per_request_store=ratio(launch, m.GLOBAL_STORE_SECTORS, m.GLOBAL_STORE_REQUESTS),
        bytes_per_sector_load=launch.number("smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.ratio"),
        bytes_per_sector_store=launch.number("smsp__sass_average_data_bytes_per_sector_mem_global_op_st.ratio"),
    )


def ratio(launch: KernelLaunch, above: m.MetricRef, below: m.MetricRef) -> float | None:
    """One counter over another; None where either is missing or the lower one is 0."""
    upper, lower = first_number(launch, above), first_number(launch, below)
    return None if upper is None or not lower else upper / lower


def _bytes(launch: KernelLaunch, ref: m.MetricRef) -> float | None:
    sectors = first_number(launch, ref)
    return None if sectors is None else sectors * SECTOR_BYTES


def _rate(launch: KernelLaunch, count: float | None) -> float | None:
    duration = launch.duration_ns
    return None if count is None or not duration else count / duration * 1e9


def _unreliable(hit_rate_pct: float | None) -> str:
    if hit_rate_pct is not None and not 0 <= hit_rate_pct <= 100:
        return "hit rate outside 0-100 %: too little traffic, or passes that differ"
    return ""


def _l1(launch: KernelLaunch) -> MemoryLevel | None:
    hit, throughput = first_number(launch, m.L1_HIT_RATE), first_number(launch, m.L1_THROUGHPUT)
    sectors = l1_sectors(launch)
    traffic = None if sectors is None else sectors * SECTOR_BYTES
    if hit is None and throughput is None and traffic is None:
        return None
    return MemoryLevel(
        level="l1",
        bytes=traffic,
        bytes_per_s=_rate(launch, traffic),
        throughput_pct=throughput,
        hit_rate_pct=hit,
        unreliable=_unreliable(hit) or _over(throughput),
    )


def _over(throughput_pct: float | None) -> str:
    if throughput_pct is not None and throughput_pct > 105:
        return "throughput above 100 %: the kernel is too short for its passes to agree"
    return ""


def _l2(launch: KernelLaunch) -> MemoryLevel | None:
    hit, throughput = first_number(launch, m.L2_HIT_RATE), first_number(launch, m.L2_THROUGHPUT)
    traffic = _bytes(launch, m.L2_SECTORS)
    if hit is None and throughput is None and traffic is None:
        return None
    return MemoryLevel(
        level="l2",
        bytes=traffic,
        read_bytes=_bytes(launch, m.L2_READ_SECTORS),
        write_bytes=_bytes(launch, m.L2_WRITE_SECTORS),
        bytes_per_s=_rate(launch, traffic),
        throughput_pct=throughput,
        hit_rate_pct=hit,
        unreliable=_unreliable(hit) or _over(throughput),
    )


def _dram(launch: KernelLaunch) -> MemoryLevel | None:
    throughput, traffic = first_number(launch, m.DRAM_THROUGHPUT), dram_bytes(launch)
    rate = first_number(launch, m.DRAM_BYTES_PER_S)
    if throughput is None and traffic is None and rate is None:
        return None
    read, write = first_number(launch, m.DRAM_READ_BYTES), first_number(launch, m.DRAM_WRITE_BYTES)
    return MemoryLevel(
        level="dram",
        bytes=traffic,
        read_bytes=read,
        write_bytes=write,
        bytes_per_s=rate if rate is not None else _rate(launch, traffic),
        throughput_pct=throughput,
        unreliable=_over(throughput),
    )


def _plain(launch: KernelLaunch, level: str, ref: m.MetricRef) -> MemoryLevel | None:
    traffic = _bytes(launch, ref)
    if not traffic:
        return None
    return MemoryLevel(level=level, bytes=traffic, bytes_per_s=_rate(launch, traffic))


def _host(launch: KernelLaunch) -> MemoryLevel | None:
    return _plain(launch, "host", m.L2_SYSMEM_MISSES)


def _peer(launch: KernelLaunch) -> MemoryLevel | None:
    return _plain(launch, "peer", m.L2_PEER_MISSES)


def _local(launch: KernelLaunch) -> MemoryLevel | None:
    loads, stores = _bytes(launch, m.LOCAL_LOAD_SECTORS), _bytes(launch, m.LOCAL_STORE_SECTORS)
    if not loads and not stores:
        return None
    return MemoryLevel(level="local", bytes=(loads or 0) + (stores or 0), read_bytes=loads, write_bytes=stores)
