"""The same kernel launched several times with one shape, and its spread in time."""

from __future__ import annotations

from collections.abc import Sequence

from ncuanalyze.diagnosis import KernelDiagnosis, KernelGroup


def groups_of(kernels: Sequence[KernelDiagnosis], total_ns: float | None) -> tuple[KernelGroup, ...]:
    """Groups of two or more launches of one name, shape and binary, the most expensive first."""
    members: dict[tuple[object, ...], list[KernelDiagnosis]] = {}
    for item in kernels:
        if item.duration_ns is not None and item.kernel.workload == "kernel":
            key = (item.kernel.demangled, item.kernel.grid, item.kernel.block, *_binary(item))
            members.setdefault(key, []).append(item)
    groups = [_group(items, total_ns) for items in members.values() if len(items) > 1]
    return tuple(sorted(groups, key=lambda group: -group.total_ns))


def _binary(item: KernelDiagnosis) -> tuple[float | None, float | None]:
    """Registers and shared memory: compilers give one name to several binaries (Triton's configurations)."""
    held = item.occupancy
    return (held.registers_per_thread, held.shared_bytes_per_block) if held is not None else (None, None)


def _group(items: Sequence[KernelDiagnosis], total_ns: float | None) -> KernelGroup:
    from statistics import median

    times = [item.duration_ns or 0.0 for item in items]
    return KernelGroup(
        name=items[0].kernel.name,
        kernels=tuple(item.kernel.id for item in items),
        total_ns=sum(times),
        share_pct=100 * sum(times) / total_ns if total_ns else None,
        minimum_ns=min(times),
        median_ns=median(times),
        maximum_ns=max(times),
    )
