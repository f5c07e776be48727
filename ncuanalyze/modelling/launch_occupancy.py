"""The occupancy of a profiled launch: calculated from what it asked for, beside what ncu recorded."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ncuanalyze.modelling.occupancy import BlockResources, TheoreticalOccupancy, occupancy
from ncuanalyze.profile import KernelLaunch, Workload

CONFIGURED_SIZE_SINCE = (2022, 1)
"""From this ncu version on, the shared-memory limit divides the size that the SM was configured to."""


@dataclass(frozen=True, kw_only=True)
class LaunchOccupancy:
    """One launch. ``recorded`` are ncu's own limits; a percentage that the report lacks is None."""

    name: str
    launch_id: str
    compute_capability: tuple[int, int]
    block: BlockResources
    calculated: TheoreticalOccupancy
    recorded: dict[str, int]
    recorded_pct: float | None
    achieved_pct: float | None
    issue_active_pct: float | None
    cluster_size: int
    notes: tuple[str, ...] = ()


def launch_occupancy(launch: KernelLaunch, *, ncu_version: str = "") -> LaunchOccupancy | None:
    """Occupancy of one kernel launch; None for ranges, graphs, failed launches and reports without sizes.

    A report that does not name its ncu version is read by the convention that its own limits follow.
    """
    capability = launch.device.compute_capability
    block = _block(launch)
    if capability is None or block is None or launch.workload is not Workload.KERNEL:
        return None
    recorded = _recorded(launch)
    full = replace(block, shared_capacity_bytes=None)
    block = block if _configured_counts(ncu_version, capability, block, recorded) else full
    return LaunchOccupancy(
        name=launch.name,
        launch_id=launch.id,
        compute_capability=capability,
        block=block,
        calculated=occupancy(capability, block),
        recorded=recorded,
        recorded_pct=launch.number("sm__maximum_warps_per_active_cycle_pct"),
        achieved_pct=launch.number("sm__warps_active.avg.pct_of_peak_sustained_active"),
        issue_active_pct=_share(launch.number("smsp__issue_active.avg.per_cycle_active")),
        cluster_size=_whole(launch, "launch__cluster_size") or 0,
        notes=tuple(_notes(launch, capability, block)),
    )


def _block(launch: KernelLaunch) -> BlockResources | None:
    threads = _whole(launch, "launch__block_size")
    registers = _whole(launch, "launch__registers_per_thread")
    static = _whole(launch, "launch__shared_mem_per_block_static")
    dynamic = _whole(launch, "launch__shared_mem_per_block_dynamic")
    if threads is None or registers is None or static is None or dynamic is None:
        return None
    return BlockResources(
        threads=threads,
        registers_per_thread=registers,
        static_shared_bytes=static,
        dynamic_shared_bytes=dynamic,
        barriers=_whole(launch, "launch__barrier_count") or 0,
        reserved_shared_bytes=_whole(launch, "launch__shared_mem_per_block_driver"),
        shared_capacity_bytes=_whole(launch, "launch__shared_mem_config_size"),
    )


def _recorded(launch: KernelLaunch) -> dict[str, int]:
    names = ("blocks", "registers", "shared_mem", "warps", "barriers")
    limits = {name: _whole(launch, f"launch__occupancy_limit_{name}") for name in names}
    return {name: limit for name, limit in limits.items() if limit is not None}


def _configured_counts(
    ncu_version: str, capability: tuple[int, int], block: BlockResources, recorded: dict[str, int]
) -> bool:
    parts = ncu_version.split(".")
    if len(parts) >= 2 and parts[0].isdigit() and parts[1].isdigit():
        return (int(parts[0]), int(parts[1])) >= CONFIGURED_SIZE_SINCE
    limit = recorded.get("shared_mem")
    return limit is None or limit == occupancy(capability, block).limits["shared_mem"]


def _notes(launch: KernelLaunch, capability: tuple[int, int], block: BlockResources) -> list[str]:
    notes = []
    if block.shared_capacity_bytes:
        notes.append(f"the SM is configured to {block.shared_capacity_bytes // 1024} KiB of shared memory")
    size, active = _whole(launch, "launch__cluster_size"), _whole(launch, "launch__cluster_max_active")
    if size and active and size > 1:
        notes.append(f"clusters of {size} blocks: {active} at a time on the whole GPU, each within one GPC")
    return notes


def _whole(launch: KernelLaunch, name: str) -> int | None:
    value = launch.number(name)
    return None if value is None else int(value)


def _share(value: float | None) -> float | None:
    return None if value is None else 100 * value
