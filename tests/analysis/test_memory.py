"""Bytes, rates and hit rates of each memory level, and which of them can be trusted."""

import math

import pytest
from launches import FIXTURES, make_launch

from ncuanalyze.analysis.memory import memory_of, ratio
from ncuanalyze.diagnosis import MemoryLevel
from ncuanalyze.load import load
from ncuanalyze.metrics import GLOBAL_LOAD_REQUESTS, GLOBAL_LOAD_SECTORS

TIME = {"gpu__time_duration.sum": 1000}
L1_HIT, L2_HIT = "l1tex__t_sector_hit_rate.pct", "lts__t_sector_hit_rate.pct"


def level(name: str, metrics: dict[str, float]) -> MemoryLevel:
    found = memory_of(make_launch({**TIME, **metrics}))
    assert found is not None
    return next(item for item in found.levels if item.level == name)


@pytest.mark.parametrize(
    ("name", "metrics", "expected"),
    [
        ("l1", {"l1tex__t_sectors.sum": 100}, 3200),
        ("l2", {"lts__t_sectors.sum": 100}, 3200),
        ("dram", {"dram__bytes.sum": 3200}, 3200),
        ("dram", {"dram__bytes_read.sum": 3000, "dram__bytes_write.sum": 200}, 3200),
        ("dram", {"dram__bytes.sum.per_second": 3.2e9}, 3200),
        ("host", {"lts__t_sectors_srcunit_tex_aperture_sysmem_lookup_miss.sum": 100}, 3200),
        ("peer", {"lts__t_sectors_srcunit_tex_aperture_peer_lookup_miss.sum": 100}, 3200),
        ("local", {"l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum": 100}, 3200),
    ],
)
def test_bytes_of_a_level(name: str, metrics: dict[str, float], expected: float) -> None:
    assert level(name, metrics).bytes == pytest.approx(expected)


def test_a_rate_is_bytes_over_the_duration() -> None:
    assert level("l2", {"lts__t_sectors.sum": 1000}).bytes_per_s == pytest.approx(32e9)


@pytest.mark.parametrize(
    "duration", [{"gpu__time_duration.sum": 0}, {"gpu__time_duration.sum": math.nan}], ids=["zero", "NaN"]
)
def test_without_a_duration_there_is_no_rate(duration: dict[str, float]) -> None:
    found = level("l2", {"lts__t_sectors.sum": 1000, **duration})
    assert (found.bytes, found.bytes_per_s) == (32000, None)


@pytest.mark.parametrize(
    ("hit_rate", "trusted"), [(0, True), (100, True), (100.02, False), (171, False), (-0.1, False)]
)
def test_a_hit_rate_out_of_range_is_marked(hit_rate: float, trusted: bool) -> None:
    found = level("l2", {L2_HIT: hit_rate})
    assert found.hit_rate_pct == hit_rate
    assert (found.unreliable == "") is trusted


@pytest.mark.parametrize(("throughput", "trusted"), [(100, True), (105, True), (105.1, False), (434, False)])
def test_a_throughput_far_above_its_peak_is_marked(throughput: float, trusted: bool) -> None:
    found = level("l1", {"l1tex__throughput.avg.pct_of_peak_sustained_active": throughput})
    assert (found.unreliable == "") is trusted


@pytest.mark.parametrize("level_name", ["host", "peer", "local"])
def test_a_level_without_traffic_is_left_out(level_name: str) -> None:
    found = memory_of(
        make_launch(
            {
                L1_HIT: 50,
                "lts__t_sectors_srcunit_tex_aperture_sysmem_lookup_miss.sum": 0,
                "lts__t_sectors_srcunit_tex_aperture_peer_lookup_miss.sum": 0,
                "l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum": 0,
            }
        )
    )
    assert found is not None
    assert level_name not in [item.level for item in found.levels]


@pytest.mark.parametrize("metrics", [{}, {L1_HIT: math.nan}, {L2_HIT: None}])
def test_nothing_is_said_without_a_number(metrics: dict[str, float | None]) -> None:
    assert memory_of(make_launch(metrics)) is None


@pytest.mark.parametrize(("requests", "expected"), [(4, 8.0), (0, None), (None, None), (math.nan, None)])
def test_sectors_a_request(requests: float | None, expected: float | None) -> None:
    launch = make_launch({GLOBAL_LOAD_SECTORS.name: 32, GLOBAL_LOAD_REQUESTS.name: requests})
    assert ratio(launch, GLOBAL_LOAD_SECTORS, GLOBAL_LOAD_REQUESTS) == expected


def test_a_copy_of_one_gibibyte_moves_two() -> None:
    found = memory_of(load(FIXTURES / "triples" / "c26.raw.csv.xz").launches[0])
    assert found is not None
    assert [item.level for item in found.levels][:3] == ["l1", "l2", "dram"]
    dram = next(item for item in found.levels if item.level == "dram")
    assert dram.bytes == pytest.approx(2 * 2**30, rel=0.02)
    assert dram.bytes_per_s is not None and dram.bytes_per_s > 3.8e12
    assert (found.sectors_per_request_load, found.sectors_per_request_store) == (16, 16)
