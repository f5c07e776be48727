"""Theoretical occupancy of a launch: how many blocks and warps fit on an SM, and what stops more."""

from __future__ import annotations

from dataclasses import dataclass

from ncuanalyze.errors import InvalidInput
from ncuanalyze.modelling.sm_limits import SmLimits, sm_limits

BARRIERS_COUNT_FROM = (9, 0)


@dataclass(frozen=True, kw_only=True)
class BlockResources:
    """What one block asks for. Shared memory is what the kernel uses, without the driver's own.

    ``reserved_shared_bytes`` (the driver's) and ``shared_capacity_bytes`` (what the SM is configured
    to) come from a report; None stands for the GPU's own values, all shared memory of the SM.
    """

    threads: int
    registers_per_thread: int
    static_shared_bytes: int = 0
    dynamic_shared_bytes: int = 0
    barriers: int = 0
    reserved_shared_bytes: int | None = None
    shared_capacity_bytes: int | None = None


@dataclass(frozen=True, kw_only=True)
class TheoreticalOccupancy:
    """Blocks per SM that each resource allows (``limits``), and what follows.

    ``limits`` has the suffixes of ``launch__occupancy_limit_*``: warps, registers, shared_mem, blocks
    and, from compute capability 9.0 on, barriers. ``limiters`` are those with the fewest blocks.
    """

    limits: dict[str, int]
    limiters: tuple[str, ...]
    blocks_per_sm: int
    warps_per_block: int
    warps_per_sm: int
    theoretical_pct: float
    registers_per_block: int
    shared_bytes_per_block: int
    shared_capacity_bytes: int

    @property
    def launches(self) -> bool:
        """False where not even one block fits: the driver refuses the launch."""
        return self.blocks_per_sm > 0


def occupancy(compute_capability: tuple[int, int], block: BlockResources) -> TheoreticalOccupancy:
    """Occupancy as ncu and ``cudaOccupancyMaxActiveBlocksPerMultiprocessor`` count it.

    Registers are given to warps in units of 256 within a sub-partition; shared memory to blocks in
    units of 128 or 256 B, with the driver's 1 KB on top from compute capability 8.0 on. Raises
    ``InvalidInput`` for a block that no GPU takes.
    """
    sm = sm_limits(compute_capability)
    _check(block, sm)
    warps = -(-block.threads // sm.warp_threads)
    shared = shared_bytes_allocated(block, sm)
    capacity = block.shared_capacity_bytes or sm.shared_bytes_per_sm
    limits = {
        "blocks": sm.blocks_per_sm,
        "registers": _register_limit(block.registers_per_thread, warps, sm),
        "shared_mem": _shared_limit(shared, capacity, sm),
        "warps": sm.warps_per_sm // warps,
    }
    if compute_capability >= BARRIERS_COUNT_FROM:
        limits["barriers"] = _barrier_limit(block.barriers, sm)
    blocks = min(limits.values())
    return TheoreticalOccupancy(
        limits=limits,
        limiters=_limiters(limits, blocks, block),
        blocks_per_sm=blocks,
        warps_per_block=warps,
        warps_per_sm=blocks * warps,
        theoretical_pct=100.0 * blocks * warps / sm.warps_per_sm,
        registers_per_block=registers_per_warp(block.registers_per_thread, sm) * warps,
        shared_bytes_per_block=shared,
        shared_capacity_bytes=capacity,
    )


def _limiters(limits: dict[str, int], blocks: int, block: BlockResources) -> tuple[str, ...]:
    """The resources with the fewest blocks; what the block does not use counts only where nothing else limits."""
    unused = set() if block.barriers else {"barriers"}
    unused |= set() if block.static_shared_bytes + block.dynamic_shared_bytes else {"shared_mem"}
    fewest = [name for name, limit in limits.items() if limit == blocks]
    return tuple(name for name in fewest if name not in unused) or tuple(fewest)


def registers_per_warp(registers_per_thread: int, sm: SmLimits) -> int:
    """Registers that a warp occupies, rounded up to the allocation unit."""
    return _round_up(registers_per_thread * sm.warp_threads, sm.register_unit_per_warp)


def shared_bytes_allocated(block: BlockResources, sm: SmLimits) -> int:
    """Shared memory that a block occupies with the driver's part, rounded up to the allocation unit."""
    reserved = sm.reserved_shared_bytes if block.reserved_shared_bytes is None else block.reserved_shared_bytes
    return _round_up(block.static_shared_bytes + block.dynamic_shared_bytes + reserved, sm.shared_unit_bytes)


def _register_limit(registers_per_thread: int, warps: int, sm: SmLimits) -> int:
    per_warp = registers_per_warp(registers_per_thread, sm)
    if not per_warp:
        return sm.blocks_per_sm
    if per_warp * _round_up(warps, sm.sub_partitions) > sm.registers_per_sm:
        return 0
    warps_per_partition = sm.registers_per_sm // sm.sub_partitions // per_warp
    return warps_per_partition * sm.sub_partitions // warps


def _shared_limit(allocated: int, capacity: int, sm: SmLimits) -> int:
    if not allocated:
        return sm.blocks_per_sm
    if allocated > _round_up(sm.shared_bytes_per_block + sm.reserved_shared_bytes, sm.shared_unit_bytes):
        return 0
    return capacity // allocated


def _barrier_limit(barriers: int, sm: SmLimits) -> int:
    return min(sm.blocks_per_sm, sm.barriers_per_sm // barriers) if barriers else sm.blocks_per_sm


def _check(block: BlockResources, sm: SmLimits) -> None:
    for name, value, highest in (
        ("threads per block", block.threads, sm.threads_per_block),
        ("registers per thread", block.registers_per_thread, sm.registers_per_thread + 1),
    ):
        lowest = 1 if name.startswith("threads") else 0
        if not lowest <= value <= highest:
            raise InvalidInput(f"{value} {name} do not exist", hint=f"give {lowest} to {highest}")
    if min(block.static_shared_bytes, block.dynamic_shared_bytes, block.barriers) < 0:
        raise InvalidInput("a block cannot use a negative amount", hint="give bytes and barriers from 0 up")


def _round_up(value: int, unit: int) -> int:
    return -(-value // unit) * unit
