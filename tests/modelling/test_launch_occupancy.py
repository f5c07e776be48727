"""Occupancy of profiled launches: of fixtures, and of every report of the sibling folder where it is there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ncuanalyze.load import load
from ncuanalyze.modelling.launch_occupancy import launch_occupancy
from ncuanalyze.profile import Device, KernelLaunch, MetricTable, Workload

SHARED = Path(__file__).parents[2] / "../shared"
METRICS = {
    "launch__block_size": 256.0,
    "launch__registers_per_thread": 32.0,
    "launch__shared_mem_per_block_static": 0.0,
    "launch__shared_mem_per_block_dynamic": 0.0,
    "launch__shared_mem_per_block_driver": 1024.0,
    "launch__shared_mem_config_size": 8192.0,
    "launch__occupancy_limit_shared_mem": 8.0,
}


def _launch(metrics: dict[str, float | str | None], **changes: object) -> KernelLaunch:
    values: dict[str, object] = {
        "id": "0",
        "name": "k",
        "demangled": "k",
        "metrics": MetricTable(metrics),
        "device": Device(name="NVIDIA A100-SXM4-40GB", compute_capability=(8, 0)),
    }
    return KernelLaunch(**{**values, **changes})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("recorded", "version", "limit"),
    [
        pytest.param(8.0, "2025.3.1.0", 8, id="configured size"),
        pytest.param(164.0, "2021.2.2", 164, id="old ncu: all shared memory"),
        pytest.param(164.0, "", 164, id="unknown version, limit of old ncu"),
        pytest.param(8.0, "", 8, id="unknown version, limit of new ncu"),
    ],
)
def test_both_conventions_of_ncu(recorded: float, version: str, limit: int) -> None:
    found = launch_occupancy(_launch({**METRICS, "launch__occupancy_limit_shared_mem": recorded}), ncu_version=version)
    assert found is not None
    assert found.calculated.limits["shared_mem"] == found.recorded["shared_mem"] == limit


@pytest.mark.parametrize("missing", [name for name in METRICS if "block_" in name and "driver" not in name])
def test_what_is_not_collected_is_not_guessed(missing: str) -> None:
    for value in (None, float("nan")):
        assert launch_occupancy(_launch({**METRICS, missing: value})) is None


def test_ranges_and_unknown_devices_have_no_occupancy() -> None:
    assert launch_occupancy(_launch(METRICS, workload=Workload.RANGE)) is None
    assert launch_occupancy(_launch(METRICS, device=Device())) is None


def _reports() -> list[Path]:
    folders = ("planted/reports", "variants", "arch")
    found = (path for folder in folders for path in sorted((SHARED / folder).glob("*")))
    return [path for path in found if path.name.endswith((".ncu-rep.xz", ".raw.csv"))]


@pytest.mark.skipif(not SHARED.exists(), reason="the sibling folder of reports is not here")
def test_every_report_that_has_limits() -> None:
    versions = {item["file"]: item["ncu_version"] for item in json.loads((SHARED / "arch/index.json").read_text())}
    compared = 0
    for path in _reports():
        profile = load(path)
        version = versions.get(path.name) or profile.settings.ncu_version
        for launch in profile.launches:
            found = launch_occupancy(launch, ncu_version=version)
            if found is None or not found.recorded:
                continue
            calculated = {name: found.calculated.limits[name] for name in found.recorded}
            assert calculated == found.recorded, f"{path.name} {launch.name}"
            assert found.recorded_pct is not None
            assert found.calculated.theoretical_pct == pytest.approx(found.recorded_pct, abs=0.006)
            compared += 1
    assert compared >= 130
