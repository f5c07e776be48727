"""Totals that reports hold only in parts."""

import math

import pytest
from launches import make_launch

from ncuanalyze.analysis.traffic import dram_bytes, l1_sectors, l1_wavefronts, shared_wavefront_share

L1, LOADS, STORES = (
    "l1tex__t_sectors.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
)
WAVEFRONTS, BUSY = (
    "l1tex__data_pipe_lsu_wavefronts.sum",
    "l1tex__data_pipe_lsu_wavefronts.avg.pct_of_peak_sustained_elapsed",
)
SHARED, SHARED_BUSY = (
    "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum.pct_of_peak_sustained_elapsed",
)
DRAM, READ, WRITE, RATE = (
    "dram__bytes.sum",
    "dram__bytes_read.sum",
    "dram__bytes_write.sum",
    "dram__bytes.sum.per_second",
)
TIME = "gpu__time_duration.sum"


@pytest.mark.parametrize(
    ("metrics", "sectors"),
    [
        ({L1: 50, LOADS: 100}, 50),
        ({LOADS: 100, STORES: 20}, 120),
        ({LOADS: 0}, 0),
        ({}, None),
        ({L1: math.nan, LOADS: 100}, 100),
    ],
)
def test_l1_sectors(metrics: dict[str, float], sectors: float | None) -> None:
    assert l1_sectors(make_launch(metrics)) == sectors


@pytest.mark.parametrize(
    ("metrics", "wavefronts"),
    [
        ({WAVEFRONTS: 7}, 7),
        ({BUSY: 50, "sm__cycles_elapsed.max": 1000, "launch__sm_count": 132}, 66000),
        ({BUSY: 50, "sm__cycles_elapsed.max": 1000}, None),
        ({BUSY: 50, "sm__cycles_elapsed.max": 0, "launch__sm_count": 132}, None),
        ({}, None),
    ],
)
def test_l1_wavefronts(metrics: dict[str, float], wavefronts: float | None) -> None:
    assert l1_wavefronts(make_launch(metrics)) == wavefronts


@pytest.mark.parametrize(
    ("metrics", "share"),
    [
        ({WAVEFRONTS: 10, SHARED: 4}, 0.4),
        ({WAVEFRONTS: 10, SHARED: 11}, 1.0),
        ({WAVEFRONTS: 0, SHARED: 0}, None),
        ({BUSY: 80, SHARED_BUSY: 20}, 0.25),
        ({BUSY: 80}, None),
        ({}, None),
    ],
)
def test_shared_memorys_share_of_the_wavefronts(metrics: dict[str, float], share: float | None) -> None:
    assert shared_wavefront_share(make_launch(metrics)) == share


@pytest.mark.parametrize(
    ("metrics", "expected"),
    [
        ({DRAM: 10, READ: 7, WRITE: 2}, 10),
        ({READ: 7, WRITE: 2}, 9),
        ({READ: 7}, None),
        ({RATE: 2e9, TIME: 1000}, 2000),
        ({RATE: 2e9}, None),
        ({DRAM: 0, RATE: 2e9, TIME: 1000}, 0),
        ({}, None),
    ],
)
def test_dram_bytes(metrics: dict[str, float], expected: float | None) -> None:
    assert dram_bytes(make_launch(metrics)) == expected
