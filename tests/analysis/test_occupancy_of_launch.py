"""Resident warps, the four limits and which of them holds."""

import math

import pytest
from launches import FIXTURES, make_launch

from ncuanalyze.analysis.occupancy import occupancy_of
from ncuanalyze.load import load

THEORETICAL = "sm__maximum_warps_per_active_cycle_pct"
ACHIEVED = "sm__warps_active.avg.pct_of_peak_sustained_active"


def limits(**blocks: float) -> dict[str, float]:
    return {f"launch__occupancy_limit_{name}": value for name, value in blocks.items()}


@pytest.mark.parametrize(
    ("blocks", "limiters"),
    [
        ({"blocks": 32, "registers": 2, "shared_mem": 5, "warps": 8}, ("registers",)),
        ({"blocks": 32, "registers": 16, "shared_mem": 1, "warps": 16}, ("shared_memory",)),
        ({"blocks": 32, "registers": 128, "shared_mem": 32, "warps": 64}, ("blocks", "shared_memory")),
        ({"blocks": 32, "registers": 8, "shared_mem": 32, "warps": 8}, ("registers", "warps")),
        ({"blocks": 32, "registers": 8, "shared_mem": 32, "warps": 6, "barriers": 4}, ("barriers",)),
    ],
)
def test_the_resource_that_allows_the_fewest_blocks_limits(
    blocks: dict[str, float], limiters: tuple[str, ...]
) -> None:
    found = occupancy_of(make_launch(limits(**blocks)))
    assert found is not None
    assert found.limiters == limiters


def test_every_number_is_passed_on() -> None:
    found = occupancy_of(
        make_launch(
            {
                THEORETICAL: 50,
                ACHIEVED: 41.5,
                "launch__registers_per_thread": 64,
                "launch__shared_mem_per_block_allocated": 17408,
                "launch__block_size": 256,
                "launch__waves_per_multiprocessor": 3.5,
                "smsp__warps_active.avg.per_cycle_active": 7.5,
                "smsp__warps_eligible.avg.per_cycle_active": 0.5,
            }
        )
    )
    assert found is not None
    assert (found.theoretical_pct, found.achieved_pct) == (50, 41.5)
    assert (found.registers_per_thread, found.shared_bytes_per_block, found.threads_per_block) == (64, 17408, 256)
    assert (found.waves_per_sm, found.active_warps_per_scheduler, found.eligible_warps_per_scheduler) == (3.5, 7.5, 0.5)
    assert (found.limits, found.limiters) == (None, ())


@pytest.mark.parametrize("metrics", [{}, {THEORETICAL: None}, {THEORETICAL: math.nan, ACHIEVED: math.inf}])
def test_nothing_is_said_without_a_number(metrics: dict[str, float | None]) -> None:
    assert occupancy_of(make_launch(metrics)) is None


def test_zero_is_a_number() -> None:
    found = occupancy_of(make_launch({ACHIEVED: 0}))
    assert found is not None
    assert (found.achieved_pct, found.theoretical_pct) == (0, None)


def test_a_range_has_an_achieved_but_no_theoretical_occupancy() -> None:
    found = occupancy_of(load(FIXTURES / "variants" / "range_details.csv.xz").launches[0])
    assert found is not None
    assert (found.achieved_pct, found.theoretical_pct, found.limiters) == (23.9, None, ())


def test_a_real_launch() -> None:
    found = occupancy_of(load(FIXTURES / "triples" / "c14.raw.csv.xz").launches[0])
    assert found is not None and found.limits is not None
    assert set(found.limits) >= {"blocks", "registers", "shared_memory", "warps"}
    assert found.theoretical_pct == 100
    assert found.achieved_pct == pytest.approx(6.25, abs=0.01)
