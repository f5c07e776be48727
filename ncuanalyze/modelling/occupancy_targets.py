"""How to reach an occupancy: the smallest changes of a launch, and what each costs."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from ncuanalyze.errors import InvalidInput
from ncuanalyze.modelling.occupancy import BlockResources, TheoreticalOccupancy, occupancy
from ncuanalyze.modelling.sm_limits import SmLimits, sm_limits

BLOCK_SIZES = (64, 128, 192, 256, 384, 512, 768, 1024)
FEWEST_REGISTERS = 24


@dataclass(frozen=True, kw_only=True)
class Change:
    """One parameter moved, and the price."""

    parameter: str
    old: int
    new: int
    cost: str

    @property
    def size(self) -> float:
        """Factor between old and new, as a power of two."""
        return abs(math.log2(max(self.new, 1) / max(self.old, 1)))


@dataclass(frozen=True, kw_only=True)
class Way:
    """Changes that together reach the target. ``note`` says what was estimated."""

    changes: tuple[Change, ...]
    blocks_per_sm: int
    warps_per_sm: int
    theoretical_pct: float
    note: str = ""

    @property
    def size(self) -> tuple[int, float]:
        """Fewer changes first, then smaller ones."""
        return len(self.changes), sum(change.size for change in self.changes)


def ways_to_reach(
    compute_capability: tuple[int, int], block: BlockResources, target_pct: float, *, most: int = 4
) -> tuple[Way, ...]:
    """The smallest changes of registers, shared memory and block size that reach ``target_pct``.

    Empty where the launch is there already or nothing reaches it. Shared memory per block is taken as
    given for other block sizes. Raises ``InvalidInput`` for a target outside 0-100.
    """
    sm = sm_limits(compute_capability)
    warps = target_warps(sm, target_pct)
    free = replace(block, shared_capacity_bytes=None)
    if occupancy(compute_capability, free).warps_per_sm >= warps:
        return ()
    sizes = dict.fromkeys((block.threads, *BLOCK_SIZES))
    found = (_way(compute_capability, free, size, warps) for size in sizes)
    return smallest(way for way in found if way is not None)[:most]


def target_warps(sm: SmLimits, target_pct: float) -> int:
    """Warps per SM that an occupancy stands for, rounded up."""
    if not 0 < target_pct <= 100:
        raise InvalidInput(f"{target_pct:g} % is no occupancy", hint="give a target above 0 and up to 100")
    return math.ceil(target_pct / 100 * sm.warps_per_sm)


def smallest(ways: Iterable[Way]) -> tuple[Way, ...]:
    """Ways by size; one that changes more than another on the way to it is left out."""
    kept: list[Way] = []
    for way in sorted(ways, key=lambda way: way.size):
        parameters = {change.parameter for change in way.changes}
        if not any({change.parameter for change in other.changes} <= parameters for other in kept):
            kept.append(way)
    return tuple(kept)


def register_cap(compute_capability: tuple[int, int], block: BlockResources, blocks: int) -> int:
    """The most registers a thread may use for ``blocks`` blocks to fit; 0 where none does."""
    sm = sm_limits(compute_capability)
    unit = sm.register_unit_per_warp // sm.warp_threads
    for registers in range(sm.registers_per_thread + 1, 0, -unit):
        trial = replace(block, registers_per_thread=registers)
        if occupancy(compute_capability, trial).limits["registers"] >= blocks:
            return min(registers, sm.registers_per_thread)
    return 0


def shared_cap_bytes(sm: SmLimits, blocks: int) -> int:
    """The most shared memory a block may use (the driver's part is taken off) for ``blocks`` to fit."""
    each = sm.shared_bytes_per_sm // blocks // sm.shared_unit_bytes * sm.shared_unit_bytes
    return min(each - sm.reserved_shared_bytes, sm.shared_bytes_per_block)


def register_cost(old: int, new: int) -> str:
    """What a register cap costs."""
    share = (old - new) / old
    likely = "may spill a little" if share <= 0.1 else "expect spills" if share <= 0.35 else "will spill much"
    below = f"{old - new} registers below the compiler's choice"
    return f"{likely} to local memory (maxnreg, __launch_bounds__): {below}"


def _way(compute_capability: tuple[int, int], block: BlockResources, threads: int, warps: int) -> Way | None:
    sm = sm_limits(compute_capability)
    warps_per_block = -(-threads // sm.warp_threads)
    blocks = -(-warps // warps_per_block)
    if blocks > sm.blocks_per_sm or blocks * warps_per_block > sm.warps_per_sm:
        return None
    changes = tuple(_changes(compute_capability, block, threads, blocks))
    changed = {change.parameter: change.new for change in changes}
    shared = changed.get("shared_bytes", block.static_shared_bytes + block.dynamic_shared_bytes)
    if shared < 0 or changed.get("registers", FEWEST_REGISTERS) < FEWEST_REGISTERS:
        return None
    result = occupancy(compute_capability, _changed(block, threads, shared, changed.get("registers")))
    return way_of(changes, result) if result.warps_per_sm >= warps else None


def way_of(changes: tuple[Change, ...], result: TheoreticalOccupancy, note: str = "") -> Way:
    """Changes with the occupancy they give."""
    return Way(
        changes=changes,
        blocks_per_sm=result.blocks_per_sm,
        warps_per_sm=result.warps_per_sm,
        theoretical_pct=result.theoretical_pct,
        note=note,
    )


def _changed(block: BlockResources, threads: int, shared: int, registers: int | None) -> BlockResources:
    static = min(block.static_shared_bytes, shared)
    return replace(
        block,
        threads=threads,
        registers_per_thread=registers or block.registers_per_thread,
        static_shared_bytes=static,
        dynamic_shared_bytes=shared - static,
    )


def _changes(compute_capability: tuple[int, int], block: BlockResources, threads: int, blocks: int) -> Iterator[Change]:
    sm = sm_limits(compute_capability)
    if threads != block.threads:
        word = "more" if threads > block.threads else "fewer"
        cost = f"{word} threads share one block's work, barriers and shared memory"
        yield Change(parameter="threads", old=block.threads, new=threads, cost=cost)
    cap = register_cap(compute_capability, replace(block, threads=threads), blocks)
    if cap < block.registers_per_thread:
        cost = register_cost(block.registers_per_thread, cap)
        yield Change(parameter="registers", old=block.registers_per_thread, new=cap, cost=cost)
    used, fits = block.static_shared_bytes + block.dynamic_shared_bytes, shared_cap_bytes(sm, blocks)
    if fits < used:
        cost = "a smaller tile or fewer stages: less reuse, less latency hidden"
        yield Change(parameter="shared_bytes", old=used, new=fits, cost=cost)
