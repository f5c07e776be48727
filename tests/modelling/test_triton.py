"""Triton tiles, and the smallest changes that reach an occupancy."""

from __future__ import annotations

import time

import pytest

from ncuanalyze.errors import InvalidInput
from ncuanalyze.modelling.occupancy import BlockResources, occupancy
from ncuanalyze.modelling.occupancy_targets import ways_to_reach
from ncuanalyze.modelling.triton_tile import TritonTile, parse_tile
from ncuanalyze.modelling.triton_ways import tile_block, tile_ways_to_reach

A100, H200 = (8, 0), (9, 0)
LARGE = "block_m=128 block_n=128 block_k=64 num_stages=3 num_warps=8 dtype=fp16"


@pytest.mark.parametrize(
    ("text", "shared_bytes", "threads"),
    [
        pytest.param("block_m=128 block_n=128 block_k=32 num_stages=3 num_warps=4", 48 * 1024, 128, id="16 KB a stage"),
        pytest.param(LARGE, 98_304, 256, id="96 KB"),
        # what Triton allocated on an H200
        pytest.param("block_m=128 block_n=256 block_k=64 num_stages=3 num_warps=8", 147_456, 256, id="wgmma"),
        pytest.param("block_m=128 block_n=128 block_k=64 num_stages=3 num_warps=4", 98_304, 128, id="wgmma, square"),
        pytest.param("block_m=128 block_n=128 block_k=64 num_stages=1 num_warps=4", 32_768, 128, id="no pipeline"),
        pytest.param("block_m=128 block_n=64 head_dim=128 num_stages=3 num_warps=8", 131_072, 256, id="attention"),
        pytest.param("block_m=128 block_n=128 head_dim=128 num_stages=1 num_warps=4", 65_536, 128, id="attention, 1"),
        pytest.param("block_m=128 block_n=128 block_k=64 dtype=fp8", 49_152, 128, id="fp8, defaults"),
    ],
)
def test_shared_memory_and_threads(text: str, shared_bytes: int, threads: int) -> None:
    tile = parse_tile(text)
    assert (tile.shared_bytes, tile.threads) == (shared_bytes, threads)


def test_stage_accumulators_and_reuse() -> None:
    small = parse_tile("block_m=128 block_n=128 block_k=32 num_stages=3 num_warps=4 dtype=fp16")
    assert small.stage_bytes == 16 * 1024
    assert small.accumulator_registers == 128
    assert parse_tile(LARGE).accumulator_registers == 64
    assert parse_tile(LARGE).flop_per_l2_byte == 64
    assert parse_tile("block_m=64 block_n=128 block_k=32").flop_per_l2_byte == pytest.approx(42.7, abs=0.1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("block_m=128", "lacks block_n, block_k"),
        ("block_m=128 block_n=128 block_k=64 group_m=8", "has no group_m"),
        ("block_m=128 block_n=x block_k=64", "block_n=x is not a number"),
        ("block_m=128 block_n=64 block_k=64 dtype=fp7", "no number format"),
        ("block_m", "not a name=value pair"),
        ("block_m=1 block_m=2", "given twice"),
        ("block_m='1", "cannot read"),
        (f"{LARGE} head_dim=1048577", "no GPU takes such a tile"),
        ("block_m=10^18 block_n=128 block_k=64", "no GPU takes such a tile"),
        ("block_m=128 block_n=128 block_k=64 num_stages=1025", "no GPU takes such a tile"),
        ("block_m=128 block_n=128 block_k=64 num_warps=33", "no GPU takes such a tile"),
    ],
)
def test_tiles_that_users_get_wrong(text: str, message: str) -> None:
    with pytest.raises(InvalidInput, match=message) as error:
        parse_tile(text)
    assert error.value.hint


def test_ways_to_half_occupancy_of_a_large_tile() -> None:
    tile = parse_tile(LARGE)
    ways = tile_ways_to_reach(A100, tile, 168, 50)
    assert ways
    for way in ways:
        moved = {change.parameter: change.new for change in way.changes}
        assert way.theoretical_pct >= 50
        assert all(change.cost for change in way.changes)
        assert moved.get("maxnreg", 64) <= 64  # 4 blocks of 8 warps, or 2 of 16, leave 64 registers a thread
    assert {"num_stages", "num_warps", "maxnreg"} in [{c.parameter for c in way.changes} for way in ways]


@pytest.mark.parametrize("target", [25, 50, 75])
def test_every_way_holds_when_it_is_applied(target: float) -> None:
    tile = parse_tile(LARGE)
    for way in tile_ways_to_reach(H200, tile, 168, target):
        moved = {change.parameter: change.new for change in way.changes}
        registers = moved.pop("maxnreg", None)
        other = TritonTile(**{**vars(tile), **moved})
        estimate = round(168 - tile.accumulator_registers + other.accumulator_registers)
        result = occupancy(H200, tile_block(other, registers or min(255, estimate)))
        assert result.theoretical_pct == way.theoretical_pct >= target
        assert registers is None or registers >= other.accumulator_registers


@pytest.mark.parametrize("target", [25, 37.5, 50, 75, 100])
def test_block_ways_hold_when_they_are_applied(target: float) -> None:
    block = BlockResources(threads=256, registers_per_thread=168, dynamic_shared_bytes=98_304)
    ways = ways_to_reach(A100, block, target)
    assert ways
    for way in ways:
        moved = {change.parameter: change.new for change in way.changes}
        result = occupancy(
            A100,
            BlockResources(
                threads=moved.get("threads", 256),
                registers_per_thread=moved.get("registers", 168),
                dynamic_shared_bytes=moved.get("shared_bytes", 98_304),
            ),
        )
        assert result.theoretical_pct == way.theoretical_pct >= target


def test_the_smallest_change_comes_first() -> None:
    block = BlockResources(threads=128, registers_per_thread=192, dynamic_shared_bytes=48 * 1024)
    first = ways_to_reach(A100, block, 18.75)[0]
    assert [(change.parameter, change.new) for change in first.changes] == [("registers", 168)]
    capped = BlockResources(threads=128, registers_per_thread=128, dynamic_shared_bytes=48 * 1024)
    assert occupancy(A100, capped).theoretical_pct == 18.75


def test_nothing_to_do_and_nothing_that_helps() -> None:
    full = BlockResources(threads=256, registers_per_thread=32)
    assert ways_to_reach(A100, full, 100) == ()
    assert tile_ways_to_reach(A100, parse_tile(LARGE), 168, 12.5) == ()


@pytest.mark.parametrize("target", [0, -5, 101, float("nan")])
def test_impossible_targets(target: float) -> None:
    with pytest.raises(InvalidInput):
        ways_to_reach(A100, BlockResources(threads=256, registers_per_thread=128), target)


@pytest.mark.parametrize("stages", [1, 2, 3, 8])
def test_of_all_numbers_of_stages_the_most_that_fits_is_named(stages: int) -> None:
    tile = parse_tile(f"block_m=128 block_n=128 block_k=64 num_stages={stages} num_warps=8")
    ways = tile_ways_to_reach(A100, tile, 64, 50)
    named = [change.new for way in ways for change in way.changes if change.parameter == "num_stages"]
    assert named[:1] == ([2] if stages > 2 else [])


def test_a_thousand_stages_cost_no_more_than_a_few() -> None:
    tile = parse_tile("block_m=128 block_n=128 block_k=64 num_stages=1024 num_warps=4")
    began_s = time.process_time()
    assert tile_ways_to_reach(H200, tile, 168, 50)
    assert time.process_time() - began_s < 2
