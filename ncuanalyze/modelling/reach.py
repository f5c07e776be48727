"""Which occupancy to aim at, and the ways to it, for a launch or a Triton tile."""

from __future__ import annotations

from ncuanalyze.modelling.launch_occupancy import LaunchOccupancy
from ncuanalyze.modelling.occupancy_targets import Way, ways_to_reach
from ncuanalyze.modelling.triton_tile import TritonTile
from ncuanalyze.modelling.triton_ways import tile_ways_to_reach

STEPS_PCT = (25.0, 50.0, 75.0, 100.0)


def ways_of(item: LaunchOccupancy, tile: TritonTile | None, target_pct: float | None) -> tuple[float, tuple[Way, ...]]:
    """The target (the next quarter where none is given) and the smallest changes that reach it."""
    now = item.calculated.theoretical_pct
    target = next((step for step in STEPS_PCT if step > now + 0.01), 100.0) if target_pct is None else target_pct
    if tile is not None:
        registers = item.block.registers_per_thread
        return target, tile_ways_to_reach(item.compute_capability, tile, registers, target)
    return target, ways_to_reach(item.compute_capability, item.block, target)
