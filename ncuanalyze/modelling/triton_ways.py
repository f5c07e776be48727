"""How to reach an occupancy by Triton's meta-parameters: tile, stages, warps, maxnreg."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from ncuanalyze.modelling.occupancy import BlockResources, occupancy
from ncuanalyze.modelling.occupancy_targets import (
    Change,
    Way,
    register_cap,
    register_cost,
    smallest,
    target_warps,
    way_of,
)
from ncuanalyze.modelling.sm_limits import sm_limits
from ncuanalyze.modelling.triton_tile import TritonTile

SMALLEST_BLOCK = 16
MOST_WARPS = 16
ADDRESS_REGISTERS = 16
ESTIMATE = "registers estimated from the accumulators: compile and read the real count"


def tile_block(tile: TritonTile, registers_per_thread: int) -> BlockResources:
    """The block that a tile stands for."""
    return BlockResources(
        threads=tile.threads,
        registers_per_thread=registers_per_thread,
        dynamic_shared_bytes=tile.shared_bytes,
    )


def tile_ways_to_reach(
    compute_capability: tuple[int, int],
    tile: TritonTile,
    registers_per_thread: int,
    target_pct: float,
    *,
    most: int = 5,
) -> tuple[Way, ...]:
    """The smallest changes of a tile's meta-parameters that reach ``target_pct``; empty where it is there.

    Registers of another tile are estimated: the accumulators scale with the tile, the rest stays. A
    ``maxnreg`` below the accumulators is never proposed.
    """
    warps = target_warps(sm_limits(compute_capability), target_pct)
    now = occupancy(compute_capability, tile_block(tile, registers_per_thread))
    if now.warps_per_sm >= warps:
        return ()
    rest = max(registers_per_thread - tile.accumulator_registers, ADDRESS_REGISTERS)
    near = sorted((_fitting(compute_capability, other, warps) for other in _near(tile)), key=_largest_first)
    found = (_way(compute_capability, tile, other, registers_per_thread, rest, warps) for other in near)
    return smallest(way for way in found if way is not None)[:most]


def _near(tile: TritonTile) -> Iterator[TritonTile]:
    def shrunk(value: int) -> tuple[int, ...]:
        return tuple(value // part for part in (1, 2, 4) if value // part >= SMALLEST_BLOCK) or (value,)

    warps = {tile.num_warps, max(1, tile.num_warps // 2), min(MOST_WARPS, tile.num_warps * 2)}
    sizes = product(shrunk(tile.block_m), shrunk(tile.block_n), shrunk(tile.block_k), sorted(warps))
    for block_m, block_n, block_k, num_warps in sizes:
        yield replace(tile, block_m=block_m, block_n=block_n, block_k=block_k, num_warps=num_warps)


def _largest_first(tile: TritonTile) -> tuple[int, ...]:
    return -tile.block_m, -tile.block_n, -tile.block_k, -tile.num_stages


def _blocks(warps: int, tile: TritonTile) -> int:
    """How many blocks of the tile have that many warps."""
    return -(-warps // tile.num_warps)


def _fitting(compute_capability: tuple[int, int], tile: TritonTile, warps: int) -> TritonTile:
    """The tile with as many of its stages as its blocks have shared memory for, one at least."""
    blocks = _blocks(warps, tile)

    def is_too_much(stages: int) -> bool:
        block = tile_block(replace(tile, num_stages=stages), registers_per_thread=0)
        return occupancy(compute_capability, block).limits["shared_mem"] < blocks

    fitting = bisect_left(range(1, tile.num_stages + 1), True, key=is_too_much)
    return replace(tile, num_stages=max(fitting, 1))


def _way(
    compute_capability: tuple[int, int],
    tile: TritonTile,
    other: TritonTile,
    registers: int,
    rest: float,
    warps: int,
) -> Way | None:
    estimate = registers if other == tile else min(255, round(rest + other.accumulator_registers))
    cap = register_cap(compute_capability, tile_block(other, estimate), _blocks(warps, other))
    if cap < min(estimate, other.accumulator_registers + ADDRESS_REGISTERS):
        return None
    result = occupancy(compute_capability, tile_block(other, min(cap, estimate)))
    if result.warps_per_sm < warps:
        return None
    changes = tuple(_changes(tile, other, estimate, cap))
    moved = other.accumulator_registers != tile.accumulator_registers
    return way_of(changes, result, ESTIMATE if moved else "")


def _changes(tile: TritonTile, other: TritonTile, estimate: int, cap: int) -> Iterator[Change]:
    for name in ("block_m", "block_n", "block_k", "num_stages", "num_warps"):
        old, new = getattr(tile, name), getattr(other, name)
        if old != new:
            yield Change(parameter=name, old=old, new=new, cost=_cost(name, tile, other))
    if cap < estimate:
        yield Change(parameter="maxnreg", old=estimate, new=cap, cost=register_cost(estimate, cap))


def _cost(name: str, tile: TritonTile, other: TritonTile) -> str:
    if name in ("block_m", "block_n"):
        return (
            f"less reuse: {tile.flop_per_l2_byte:.0f} -> {other.flop_per_l2_byte:.0f} FLOP per byte from L2,"
            " more blocks"
        )
    if name == "block_k":
        return "more trips of the loop, each with its barriers and address work"
    if name == "num_stages":
        return "fewer tiles in flight: less memory latency hidden"
    more = other.num_warps > tile.num_warps
    return "smaller part of the tile per warp: more shared-memory reads" if more else "more registers per thread"
