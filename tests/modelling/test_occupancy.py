"""Occupancy equals what ncu recorded, launch by launch and over whole curves."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ncuanalyze.errors import InvalidInput
from ncuanalyze.modelling.occupancy import BlockResources, occupancy
from ncuanalyze.modelling.occupancy_curves import curve_points, what_if
from ncuanalyze.modelling.sm_limits import sm_limits

FIXTURES = Path(__file__).parents[2] / "fixtures" / "occupancy"
CONFIGURED_SIZE_SINCE = "2022.1"
A100, H100 = (8, 0), (9, 0)


def _rows(name: str) -> list[dict[str, str]]:
    with (FIXTURES / name).open(newline="") as file:
        return list(csv.DictReader(file))


def _number(row: dict[str, str], name: str) -> int | None:
    return int(row[name]) if row[name] else None


@pytest.mark.parametrize("row", _rows("launches.csv"), ids=lambda row: "-".join(list(row.values())[:6]))
def test_recorded_limits(row: dict[str, str]) -> None:
    major, minor = row["compute_capability"].split(".")
    newer = row["ncu_version"] >= CONFIGURED_SIZE_SINCE
    result = occupancy(
        (int(major), int(minor)),
        BlockResources(
            threads=int(row["launch__block_size"]),
            registers_per_thread=int(row["launch__registers_per_thread"]),
            static_shared_bytes=int(row["launch__shared_mem_per_block_static"]),
            dynamic_shared_bytes=int(row["launch__shared_mem_per_block_dynamic"]),
            reserved_shared_bytes=_number(row, "launch__shared_mem_per_block_driver"),
            barriers=_number(row, "launch__barrier_count") or 0,
            shared_capacity_bytes=_number(row, "launch__shared_mem_config_size") if newer else None,
        ),
    )
    recorded = {name: _number(row, f"launch__occupancy_limit_{name}") for name in result.limits}
    assert result.limits == {name: recorded[name] or result.limits[name] for name in result.limits}
    assert result.theoretical_pct == pytest.approx(float(row["sm__maximum_warps_per_active_cycle_pct"]), abs=0.006)


@pytest.mark.parametrize("row", _rows("curves.csv"), ids=lambda row: f"{row['kernel']}-{row['varied']}")
def test_recorded_curves(row: dict[str, str]) -> None:
    block = BlockResources(
        threads=int(row["threads"]),
        registers_per_thread=int(row["registers"]),
        static_shared_bytes=int(row["static_shared_bytes"]),
        dynamic_shared_bytes=int(row["dynamic_shared_bytes"]),
        shared_capacity_bytes=int(row["shared_capacity_bytes"]),
        barriers=int(row["barriers"]),
    )
    pairs = [tuple(map(int, pair.split(":"))) for pair in row["value:warps"].split()]
    points = curve_points(H100, block, row["varied"], [value for value, _ in pairs])
    assert [(point.value, point.warps_per_sm) for point in points] == pairs


@pytest.mark.parametrize(
    ("capability", "threads", "registers", "shared", "blocks", "warps", "pct"),
    [
        pytest.param(A100, 256, 128, 0, 2, 16, 25.0, id="128 registers"),
        pytest.param(H100, 256, 128, 0, 2, 16, 25.0, id="128 registers, H100"),
        pytest.param(A100, 256, 32, 0, 8, 64, 100.0, id="32 registers"),
        pytest.param(A100, 32, 32, 0, 32, 32, 50.0, id="32-thread blocks"),
        pytest.param(H100, 32, 32, 0, 32, 32, 50.0, id="32-thread blocks, H100"),
        pytest.param(A100, 256, 32, 100 * 1024, 1, 8, 12.5, id="100 KB shared"),
        pytest.param(H100, 256, 32, 100 * 1024, 2, 16, 25.0, id="100 KB shared, H100"),
        pytest.param(A100, 128, 192, 48 * 1024, 2, 8, 12.5, id="tile 128x128x32, 3 stages, 4 warps"),
        pytest.param(A100, 128, 128, 48 * 1024, 3, 12, 18.75, id="the same with maxnreg=128"),
        pytest.param(A100, 256, 168, 96 * 1024, 1, 8, 12.5, id="tile 128x128x64, 3 stages, 8 warps"),
    ],
)
def test_known_answers(
    capability: tuple[int, int],
    threads: int,
    registers: int,
    shared: int,
    blocks: int,
    warps: int,
    pct: float,
) -> None:
    block = BlockResources(threads=threads, registers_per_thread=registers, dynamic_shared_bytes=shared)
    result = occupancy(capability, block)
    assert (result.blocks_per_sm, result.warps_per_sm, result.theoretical_pct) == (blocks, warps, pct)


def test_gemm_tile_names_its_limits() -> None:
    tile = BlockResources(threads=128, registers_per_thread=192, dynamic_shared_bytes=48 * 1024)
    result = occupancy(A100, tile)
    assert (result.limits["shared_mem"], result.limits["registers"]) == (3, 2)
    assert result.limiters == ("registers",)
    large = BlockResources(threads=256, registers_per_thread=168, dynamic_shared_bytes=98_304)
    both = occupancy(A100, large)
    assert (both.registers_per_block, both.shared_bytes_per_block - 1024) == (43_008, 98_304)
    assert both.limiters == ("registers", "shared_mem")


@pytest.mark.parametrize(
    ("capability", "warps", "blocks", "shared_per_sm", "shared_per_block"),
    [
        (A100, 64, 32, 164, 163),
        (H100, 64, 32, 228, 227),
        ((7, 5), 32, 16, 64, 64),
        ((8, 6), 48, 16, 100, 99),
        ((8, 9), 48, 24, 100, 99),
        ((10, 0), 64, 32, 228, 227),
        ((12, 0), 48, 24, 100, 99),
    ],
)
def test_sm_sizes(
    capability: tuple[int, int], warps: int, blocks: int, shared_per_sm: int, shared_per_block: int
) -> None:
    sm = sm_limits(capability)
    assert (sm.warps_per_sm, sm.blocks_per_sm, sm.registers_per_sm) == (warps, blocks, 65_536)
    assert (sm.shared_bytes_per_sm, sm.shared_bytes_per_block) == (
        shared_per_sm * 1024,
        shared_per_block * 1024,
    )


@pytest.mark.parametrize(
    ("threads", "registers", "shared", "launches"),
    [
        pytest.param(256, 32, 163 * 1024, True, id="largest block"),
        pytest.param(256, 32, 163 * 1024 + 1, False, id="one byte more"),
        pytest.param(512, 128, 0, True, id="all registers"),
        pytest.param(512, 136, 0, False, id="more registers than the SM has"),
        pytest.param(544, 120, 0, False, id="17 warps are checked as 20"),
    ],
)
def test_blocks_that_do_not_fit(threads: int, registers: int, shared: int, launches: bool) -> None:
    block = BlockResources(threads=threads, registers_per_thread=registers, dynamic_shared_bytes=shared)
    assert occupancy(A100, block).launches is launches


@pytest.mark.parametrize(("threads", "registers", "shared"), [(0, 32, 0), (1025, 32, 0), (32, 257, 0), (32, 32, -1)])
def test_impossible_blocks(threads: int, registers: int, shared: int) -> None:
    block = BlockResources(threads=threads, registers_per_thread=registers, dynamic_shared_bytes=shared)
    with pytest.raises(InvalidInput) as error:
        occupancy(A100, block)
    assert error.value.hint


def test_unknown_capability_lists_the_known() -> None:
    with pytest.raises(InvalidInput) as error:
        sm_limits((3, 5))
    assert "9.0" in error.value.hint


def test_curve_steps_are_the_last_value_of_each_level() -> None:
    block = BlockResources(threads=256, registers_per_thread=128)
    registers = what_if(A100, block)[0]
    levels = [(point.value, point.warps_per_sm) for point in registers.steps()]
    assert levels == [(32, 64), (40, 48), (48, 40), (64, 32), (80, 24), (128, 16), (255, 8)]


@given(
    capability=st.sampled_from([(7, 0), (7, 5), A100, (8, 6), (8, 9), H100, (10, 0), (12, 0)]),
    threads=st.integers(1, 1024),
    registers=st.integers(1, 248),
    shared=st.integers(0, 60_000),
)
def test_more_resources_never_raise_occupancy(
    capability: tuple[int, int], threads: int, registers: int, shared: int
) -> None:
    less = BlockResources(threads=threads, registers_per_thread=registers, dynamic_shared_bytes=shared)
    more = BlockResources(threads=threads, registers_per_thread=registers + 8, dynamic_shared_bytes=shared + 512)
    assert occupancy(capability, more).blocks_per_sm <= occupancy(capability, less).blocks_per_sm
    assert 0.0 <= occupancy(capability, less).theoretical_pct <= 100.0
