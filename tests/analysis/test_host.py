"""Traffic over the link to host memory, against what the link sustains."""

import pytest
from launches import PCT, make_launch

from ncuanalyze.analysis.host import Link, busiest_link, host_link, link_ceiling
from ncuanalyze.analysis.kernel import KernelAnalysis

SYSMEM = "lts__t_sectors_srcunit_tex_aperture_sysmem_lookup_miss.sum"
DEVICE = "lts__t_sectors_srcunit_tex_aperture_device_lookup_miss.sum"
DRAM = "dram__cycles_active" + PCT
TIME = {"gpu__time_duration.sum": 1e6}


def link(metrics: dict[str, float], **fields: object) -> Link | None:
    return host_link(KernelAnalysis(make_launch({**TIME, **metrics}, **fields)))  # type: ignore[arg-type]


def test_bytes_rate_and_share() -> None:
    found = link({SYSMEM: 1e6, DEVICE: 3e6})
    assert found is not None
    assert found.bytes == 32e6
    assert found.bytes_per_s == pytest.approx(32e9)
    assert found.share_pct == pytest.approx(100 * 32 / 53)
    assert found.share_of_misses == 0.25


@pytest.mark.parametrize(
    "metrics",
    [{}, {SYSMEM: 0}, {SYSMEM: 1e6, "gpu__time_duration.sum": 0}],
    ids=["not collected", "no traffic", "no duration"],
)
def test_nothing_is_said_without_traffic_and_time(metrics: dict[str, float]) -> None:
    assert link(metrics) is None


@pytest.mark.parametrize(
    ("sectors", "dram", "dominates"),
    [(1e6, 10, True), (1e6, 70, False), (3e5, 5, False)],
    ids=["busier than DRAM", "DRAM is busier", "below a fifth of the link"],
)
def test_the_link_dominates_where_it_is_busier_than_every_unit(sectors: float, dram: float, dominates: bool) -> None:
    found = link({SYSMEM: sectors, DRAM: dram})
    assert found is not None
    assert found.dominates is dominates


@pytest.mark.parametrize(
    ("device", "cc", "gigabytes"),
    [
        ("NVIDIA H200", (9, 0), 53),
        ("NVIDIA GH200 480GB", (9, 0), 400),
        ("NVIDIA B200", (10, 0), 53),
        ("NVIDIA A100-SXM4-40GB", (8, 0), 26),
        ("NVIDIA GeForce RTX 4090", (8, 9), 26),
        ("Tesla T4", (7, 5), 13),
        ("GeForce GTX 1080", (6, 1), 13),
        (None, None, 53),
    ],
)
def test_the_ceiling_is_the_gpus(device: str | None, cc: tuple[int, int] | None, gigabytes: float) -> None:
    assert link_ceiling(KernelAnalysis(make_launch(device=device, cc=cc))) == gigabytes * 1e9


@pytest.mark.parametrize(("limit", "relation"), [(50, ">="), (80, "<")])
def test_the_evidence_says_how_the_comparison_came_out(limit: float, relation: str) -> None:
    found = link({SYSMEM: 1e6})
    assert found is not None
    evidence = found.evidence(limit)
    assert (evidence.relation, evidence.holds) == (relation, True)

PEER = "lts__t_sectors_srcunit_tex_aperture_peer_lookup_miss.sum"


def test_the_link_nearest_to_its_ceiling_is_named() -> None:
    busy = busiest_link(KernelAnalysis(make_launch({**TIME, SYSMEM: 1e5, PEER: 1e7})))
    assert busy is not None
    assert (busy.unit, busy.metric) == ("nvlink", PEER)
    assert busy.share_pct == pytest.approx(100 * 320 / 382)
    assert busy.evidence(80).label == "traffic to other GPUs against the link's ceiling"


def test_no_link_without_traffic() -> None:
    assert busiest_link(KernelAnalysis(make_launch({**TIME, SYSMEM: 0, PEER: 0}))) is None
