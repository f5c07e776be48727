"""Findings about the whole report: elementwise chains that could be one kernel, and launch overhead."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ncuanalyze import metrics as m
from ncuanalyze.analysis.memory import SECTOR_BYTES
from ncuanalyze.analysis.reading import first_number
from ncuanalyze.diagnosis import (
    Bound,
    Confidence,
    Evidence,
    Finding,
    KernelDiagnosis,
    Severity,
    Speedup,
    alike,
    label_of,
    labels_of,
    saved_pct,
)
from ncuanalyze.profile import KernelLaunch, Profile, Workload
from ncuanalyze.record import record


def report_findings(
    profile: Profile, kernels: Sequence[KernelDiagnosis], limits: Mapping[str, float]
) -> tuple[Finding, ...]:
    """Where the next hour pays, elementwise chains, then launch overhead."""
    found = _chains(profile.launches, kernels, limits)
    overhead = _launch_overhead(kernels, limits)
    return tuple(finding for finding in (ranking(kernels, limits), *found, overhead) if finding is not None)


def ranking(kernels: Sequence[KernelDiagnosis], limits: Mapping[str, float]) -> Finding | None:
    """Kernels by time x headroom, where there is a choice to make."""
    worth = [items for items in alike(kernels) if saved_pct(items) >= limits["worth_pct"]]
    if len(worth) < 2:
        return None
    labels = labels_of(kernels)
    ordered = sorted(worth, key=lambda items: -saved_pct(items))[: int(limits["ranked"])]
    named = [(label_of(items, labels), items[0].findings[0].phrase, saved_pct(items)) for items in ordered]
    lines = [f"{label} ({phrase}) saves {saved:.0f}%" for label, phrase, saved in named]
    return Finding(
        id="where_the_time_goes",
        title="Where the next hour pays",
        message=f"By time x headroom, of the whole time: {'; '.join(lines)}.",
        kind="ranking",
        confidence=Confidence.MEDIUM,
        evidence=tuple(
            Evidence(
                label=f"{label}: time x headroom",
                metric=f"{m.DURATION.name} * (1 - 1 / speedup)",
                value=saved,
                unit="%",
            )
            for label, _, saved in named
        ),
        kernels=tuple(item.kernel.id for items in ordered for item in items),
    )


@record
class _Stream:
    """A memory-bound elementwise launch: what it reads from and writes to global memory, in bytes."""

    index: int
    read_bytes: float
    write_bytes: float
    duration_ns: float


def _stream(index: int, launch: KernelLaunch, item: KernelDiagnosis, limits: Mapping[str, float]) -> _Stream | None:
    read, write = first_number(launch, m.GLOBAL_LOAD_SECTORS), first_number(launch, m.GLOBAL_STORE_SECTORS)
    dram = first_number(launch, m.DRAM_THROUGHPUT) or 0.0
    if item.duration_ns is None or not read or not write or launch.workload is not Workload.KERNEL:
        return None
    streaming = item.bound is Bound.MEMORY and dram >= limits["chain_dram_pct"]
    if not streaming or _work_per_byte(launch, read + write) > limits["chain_inst_per_sector"]:
        return None
    return _Stream(
        index=index,
        read_bytes=read * SECTOR_BYTES,
        write_bytes=write * SECTOR_BYTES,
        duration_ns=item.duration_ns,
    )


def _work_per_byte(launch: KernelLaunch, sectors: float) -> float:
    """Warp instructions a sector of global traffic: elementwise kernels execute few."""
    return (first_number(launch, m.INSTRUCTIONS) or 0.0) / sectors


def _chains(
    launches: Sequence[KernelLaunch], kernels: Sequence[KernelDiagnosis], limits: Mapping[str, float]
) -> list[Finding]:
    chains: list[list[_Stream]] = []
    current: list[_Stream] = []
    for index, (launch, item) in enumerate(zip(launches, kernels, strict=True)):
        stream = _stream(index, launch, item, limits)
        if stream and current and not _passes_on(current[-1], stream, launches, limits["chain_size_spread_pct"]):
            chains.append(current)
            current = []
        if stream:
            current.append(stream)
        elif current:
            chains.append(current)
            current = []
    return [_chain_finding(chain, kernels) for chain in [*chains, current] if len(chain) > 1]


def _passes_on(first: _Stream, second: _Stream, launches: Sequence[KernelLaunch], spread_pct: float) -> bool:
    """The second may read what the first wrote: same stream, and a read of at least that size."""
    before, after = launches[first.index], launches[second.index]
    same = (before.context, before.stream) == (after.context, after.stream)
    return same and second.read_bytes >= first.write_bytes * (1 - spread_pct / 100)


def _chain_finding(chain: Sequence[_Stream], kernels: Sequence[KernelDiagnosis]) -> Finding:
    saved = sum(2 * item.write_bytes for item in chain[:-1])
    moved = sum(item.read_bytes + item.write_bytes for item in chain)
    time = sum(item.duration_ns for item in chain)
    left = max(1 - saved / moved, 1 / (2 * len(chain)))
    names = [kernels[item.index].kernel.name for item in chain]
    return Finding(
        id="unfused_elementwise_chain",
        title="Unfused elementwise chain",
        message=(
            f"{len(chain)} consecutive memory-bound elementwise launches ({', '.join(dict.fromkeys(names))}) write a "
            f"tensor and read it back: fused into one kernel they move {saved / 1e6:.4g} MB less of "
            f"{moved / 1e6:.4g} MB and take about {time * left / 1e3:.4g} µs instead of {time / 1e3:.4g} µs."
        ),
        advice=(
            "Compute all steps on the values in registers in one kernel: one load, one store.",
            "PyTorch: torch.compile the function; Triton: put the steps between one tl.load and one tl.store.",
        ),
        severity=Severity.WARNING,
        confidence=Confidence.MEDIUM,
        evidence=(
            Evidence(
                label="bytes written and read back between the launches",
                metric=f"2 * {m.GLOBAL_STORE_SECTORS.name} * 32 B",
                value=saved,
                unit="byte",
            ),
            Evidence(label="their time together", metric=m.DURATION.name, value=time, unit="ns"),
        ),
        speedup=Speedup(low=1 + 0.6 * (1 / left - 1), estimate=1 / left, high=1 / left * 1.1),
        resource="dram",
        kernels=tuple(kernels[item.index].kernel.id for item in chain),
    )


def _launch_overhead(kernels: Sequence[KernelDiagnosis], limits: Mapping[str, float]) -> Finding | None:
    timed = [item for item in kernels if item.duration_ns is not None]
    short = [item for item in timed if (item.duration_ns or 0.0) < limits["short_kernel_ns"]]
    if len(short) < limits["short_kernels"] or len(short) < limits["short_share_pct"] / 100 * len(timed):
        return None
    time = sum(item.duration_ns or 0.0 for item in short)
    return Finding(
        id="launch_overhead",
        title="Launch overhead",
        message=(
            f"{len(short)} of {len(timed)} launches run under {limits['short_kernel_ns'] / 1e3:.3g} µs "
            f"({time / 1e3:.3g} µs together): launching each costs the CPU about as long."
        ),
        advice=(
            "Capture the sequence in a CUDA graph (torch.cuda.graph), or fuse the small kernels.",
            "Check with Nsight Systems: gaps between kernels do not show in a kernel profile.",
        ),
        severity=Severity.INFO,
        confidence=Confidence.MEDIUM,
        evidence=(
            Evidence(
                label="short launches",
                metric=m.DURATION.name,
                value=float(len(short)),
                unit="launches",
                relation=">=",
                limit=limits["short_kernels"],
            ),
        ),
        kernels=tuple(item.kernel.id for item in short),
    )
