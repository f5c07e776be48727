"""Occupancy in a terminal: limits, what-if steps, and the ways to reach more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ncuanalyze.cli.console import as_text, plain_table
from ncuanalyze.modelling.launch_occupancy import LaunchOccupancy
from ncuanalyze.modelling.occupancy_curves import OccupancyCurve, what_if
from ncuanalyze.modelling.occupancy_targets import Way
from ncuanalyze.modelling.practice import limit
from ncuanalyze.modelling.reach import ways_of
from ncuanalyze.modelling.sm_limits import sm_limits
from ncuanalyze.modelling.triton_tile import TritonTile
from ncuanalyze.render.numbers import pct, safe_text, short_name

if TYPE_CHECKING:
    from rich.console import RenderableType

RESOURCES = {
    "warps": "warps",
    "registers": "registers",
    "shared_mem": "shared memory",
    "blocks": "block slots",
    "barriers": "barriers",
}
SHORT = {"warps": "warps", "registers": "regs", "shared_mem": "smem", "blocks": "blocks", "barriers": "barriers"}
CURVES = {
    "registers": "registers per thread",
    "shared": "shared bytes per block",
    "threads": "threads per block",
}
GOAL = (
    "High occupancy is not the goal: GEMM peaks at 12 to 50%. More warps help where schedulers starve, that is, "
    "where latency is exposed."
)
LEVELS_PCT = (100, 75, 50, 37.5, 25, 12.5, 6.25)
MOST_SIZES = 8


def occupancy_text(
    found: Sequence[LaunchOccupancy], tile: TritonTile | None, reach: float | None, *, color: bool | None
) -> str:
    """One launch in full, or several in a table."""
    parts = _one(found[0], tile, reach) if len(found) == 1 else _several(found)
    return as_text(list(parts), color=color)


def _several(found: Sequence[LaunchOccupancy]) -> Iterator[RenderableType]:
    rows = [
        (
            short_name(item.name, 18),
            str(item.block.threads),
            str(item.block.registers_per_thread),
            str(item.block.static_shared_bytes + item.block.dynamic_shared_bytes),
            str(item.calculated.blocks_per_sm),
            pct(item.calculated.theoretical_pct),
            "" if item.achieved_pct is None else pct(item.achieved_pct),
            ", ".join(SHORT[name] for name in item.calculated.limiters),
        )
        for item in found
    ]
    columns = ("kernel", "threads", "regs", "smem", "blocks", "theor.", "achieved", "limited by")
    yield plain_table(columns, rows, text=(0, 7))
    yield ""
    yield "--kernel REGEX shows one in full: limits, what-if curves, and how to reach more."


def _one(item: LaunchOccupancy, tile: TritonTile | None, reach: float | None) -> Iterator[RenderableType]:
    sm, result = sm_limits(item.compute_capability), item.calculated
    yield safe_text(item.name)
    if tile is not None:
        yield (
            f"{tile.num_stages} stages of {tile.stage_bytes:,.0f} B, {tile.accumulator_registers:g} accumulator "
            f"registers a thread, {tile.flop_per_l2_byte:.0f} FLOP per byte from L2"
        )
        if item.compute_capability < (9, 0) and tile.num_stages > 1:
            fewer = tile.shared_bytes - tile.stage_bytes
            yield f"Where the loop runs on mma.sync, Triton keeps one stage fewer: {fewer:,.0f} B."
    yield (
        f"{item.block.threads} threads, {item.block.registers_per_thread} registers a thread, "
        f"{item.block.static_shared_bytes + item.block.dynamic_shared_bytes:,} B shared memory a block"
    )
    yield ""
    yield plain_table(("limit", "blocks per SM", "a block takes", "the SM has"), list(_limit_rows(item)))
    yield ""
    yield (
        f"Theoretical occupancy {pct(result.theoretical_pct)}: {result.warps_per_sm} of {sm.warps_per_sm} warps, "
        f"{_blocks(result.blocks_per_sm)} per SM; limited by {_limiters(item)}."
    )
    yield from _measured(item)
    if not result.launches:
        yield "Not even one block fits: the driver refuses this launch."
    yield ""
    yield plain_table(("what if", "most for each occupancy"), [_steps(c) for c in _curves(item)], text=(0, 1))
    yield ""
    yield from _ways(item, tile, reach)
    yield GOAL
    for note in item.notes:
        yield f"Note: {note}."


def _limit_rows(item: LaunchOccupancy) -> Iterator[tuple[str, str, str, str]]:
    sm, result = sm_limits(item.compute_capability), item.calculated
    has = {
        "warps": (result.warps_per_block, sm.warps_per_sm, ""),
        "registers": (result.registers_per_block, sm.registers_per_sm, ""),
        "shared_mem": (result.shared_bytes_per_block, result.shared_capacity_bytes, " B"),
        "blocks": (1, sm.blocks_per_sm, ""),
        "barriers": (item.block.barriers, sm.barriers_per_sm, ""),
    }
    for name in ("warps", "registers", "shared_mem", "blocks", "barriers"):
        if name in result.limits:
            takes, total, unit = has[name]
            mark = " <-" if name in result.limiters else ""
            limit = f"{result.limits[name]}{mark}"
            yield RESOURCES[name], limit, f"{takes:,}{unit}", f"{total:,}{unit}"


def _measured(item: LaunchOccupancy) -> Iterator[str]:
    if item.recorded_pct is not None:
        same = all(item.calculated.limits.get(name) == blocks for name, blocks in item.recorded.items())
        yield f"ncu recorded {pct(item.recorded_pct)} and {'the same limits' if same else 'other limits'}."
        for name, blocks in item.recorded.items():
            if item.calculated.limits.get(name) not in (blocks, None):
                yield f"ncu's limit by {RESOURCES[name]} is {blocks}."
    if item.achieved_pct is not None:
        yield f"Achieved: {pct(item.achieved_pct)}."
    if item.issue_active_pct is not None:
        verdict = _verdict(item, item.issue_active_pct)
        yield f"An instruction is issued in {pct(item.issue_active_pct)} of cycles: {verdict}."


def _verdict(item: LaunchOccupancy, issue_active_pct: float) -> str:
    if issue_active_pct >= limit("starved_issue_pct"):
        return "schedulers are busy, more warps gain little"
    achieved = item.achieved_pct
    if achieved is not None and item.calculated.theoretical_pct - achieved > limit("achieved_gap_points"):
        return "latency is exposed, yet more warps would fit: a small grid, a tail or imbalance"
    return "latency is exposed, more warps can help"


def _blocks(count: int) -> str:
    return f"{count} block" if count == 1 else f"{count} blocks"


def _limiters(item: LaunchOccupancy) -> str:
    return ", ".join(RESOURCES[name] for name in item.calculated.limiters)


def _curves(item: LaunchOccupancy) -> tuple[OccupancyCurve, ...]:
    return what_if(item.compute_capability, item.block)


def _steps(curve: OccupancyCurve) -> tuple[str, str]:
    if curve.varied == "threads":
        best = max(point.theoretical_pct for point in curve.points)
        sizes = [str(point.value) for point in curve.points if point.theoretical_pct == best]
        shown = sizes if len(sizes) <= MOST_SIZES else [*sizes[: MOST_SIZES - 1], "..."]
        return CURVES[curve.varied], f"{pct(best)} with {', '.join(shown)}"
    found = dict.fromkeys(curve.most_for(level) for level in LEVELS_PCT)
    levels = [f"{pct(point.theoretical_pct)} {point.value:,}" for point in found if point is not None]
    return CURVES[curve.varied], " | ".join(levels)


def _ways(item: LaunchOccupancy, tile: TritonTile | None, reach: float | None) -> Iterator[str]:
    target, ways = ways_of(item, tile, reach)
    if item.calculated.theoretical_pct >= target:
        yield f"{pct(target)} is reached as it is."
        return
    if not ways:
        yield f"No change of these parameters reaches {pct(target)}."
        return
    yield f"To reach {pct(target)}, the smallest changes:"
    for number, way in enumerate(ways, start=1):
        yield from _way(number, way)


def _way(number: int, way: Way) -> Iterator[str]:
    moves = ", ".join(f"{change.parameter} {change.old:,} -> {change.new:,}" for change in way.changes)
    note = f" ({way.note})" if way.note else ""
    yield f"{number}. {moves}: {_blocks(way.blocks_per_sm)}, {pct(way.theoretical_pct)}{note}"
    for change in way.changes:
        yield f"   {change.parameter}: {change.cost}"
