"""The report reader: what it reads, when it reads it, and what it says of damage."""

import sys

import pytest

from load.paths import DEMO, MANY_GPUS, ODD, TRIPLES
from ncuanalyze.errors import MissingDependency, NcuAnalyzeError
from ncuanalyze.load import load
from ncuanalyze.load.blocks import layout_of

REPORT = (ODD / "small_3kernels.ncu-rep").read_bytes()


@pytest.fixture(scope="module")
def demo():
    return load(DEMO)


def test_settings_come_from_the_session(demo):
    settings = demo.settings
    assert (settings.ncu_version, settings.clock_control) == ("2025.3.1.0", "none")
    assert (settings.cache_control, settings.replay_mode) == ("all", "kernel")
    assert "--set full" in settings.command
    assert settings.driver_version == ""
    assert settings.created == "2026-11-29T19:48:39+00:00"


def test_launch(demo):
    slow, fast = demo.launches
    assert (slow.name, slow.demangled, fast.name) == ("c04_bank", "c04_bank", "c04_bank_fix")
    assert (slow.grid, slow.block, slow.context, slow.stream) == ((1056, 1, 1), (256, 1, 1), "1", "7")
    assert slow.duration_ns == pytest.approx(2.07e6, rel=0.01)


def test_device(demo):
    device = demo.launches[0].device
    assert (device.name, device.compute_capability, device.sm_count) == ("NVIDIA H200", (9, 0), 132)
    assert device.chip == "gh100"
    assert device.attributes["warp_size"] == 32


def test_results_and_sections(demo):
    launch = demo.launches[0]
    verdict = next(r for r in launch.stored_results if r.rule == "SOLBottleneck")
    assert (verdict.title, verdict.kind, verdict.section) == ("High Throughput", "ok", "SpeedOfLight")
    assert {"SpeedOfLight", "WarpStateStats", "SourceCounters"} <= set(launch.sections)
    conflict = next(r for r in launch.stored_results if r.rule == "SharedMemoryConflicts")
    assert (conflict.speedup_scope, conflict.speedup_pct) == ("global", pytest.approx(96.85, abs=0.01))


def test_source_is_read_from_a_packed_report(demo):
    launch = demo.launches[0]
    address, samples = launch.metrics.instances("smsp__pcsamp_sample_count")[0]
    assert samples >= 0
    assert launch.source.line(address)[1] == 28
    assert "LDC" in launch.source.sass(address)
    assert launch.source.line(1) is None


def test_nvtx_names_are_plain():
    assert [launch.nvtx for launch in load(TRIPLES / "eager.ncu-rep.xz").launches] == [("outer", "step")] * 3


def test_metrics_are_read_when_asked(demo):
    metrics = demo.launches[1].metrics
    metrics.raw("smsp__inst_issued.sum")
    assert "smsp__inst_issued.sum" in metrics._read_metrics
    assert len(metrics._read_metrics) < 30


def test_no_value_is_not_zero(demo):
    """The module gives 0.0 as the value of a sampled ratio that has instances only."""
    metrics = demo.launches[0].metrics
    name = "LTS.TriageCompute.lts__throughput.avg.pct_of_peak_sustained_elapsed"
    assert metrics.raw(name) is None
    assert len(metrics.instances(name)) > 100


def test_missing_module(monkeypatch):
    monkeypatch.setitem(sys.modules, "ncu_report", None)
    with pytest.raises(MissingDependency) as raised:
        load(DEMO)
    assert "pip install ncu-report" in raised.value.hint
    assert "--csv" in raised.value.hint


@pytest.mark.parametrize("size", range(0, len(REPORT), 1201))
def test_cut_anywhere(size, tmp_path):
    path = tmp_path / "cut.ncu-rep"
    path.write_bytes(REPORT[:size])
    try:
        profile = load(path)
    except NcuAnalyzeError as error:
        assert error.hint
    else:
        assert len(profile.launches) < 3
        assert all(launch.name for launch in profile.launches)


def test_layout_names_the_damage(tmp_path):
    path = tmp_path / "cut.ncu-rep"
    path.write_bytes(REPORT[:-1])
    whole = layout_of(ODD / "small_3kernels.ncu-rep")
    cut = layout_of(path)
    assert (whole.results, whole.whole_bytes, whole.damaged) == (3, len(REPORT), False)
    assert (cut.results, cut.damaged) == (2, True)
    assert cut.whole_bytes < len(REPORT) - 1


@pytest.mark.skipif(not MANY_GPUS.exists(), reason="the exports of many GPUs are not beside this checkout")
def test_exports_of_many_gpus():
    profiles = [load(path) for path in sorted(MANY_GPUS.glob("*.csv"))]
    devices = [profile.launches[0].device for profile in profiles]
    assert len(profiles) == 62
    assert all(
        device.name and device.compute_capability and device.sm_count and device.chip for device in devices
    )
    assert {device.compute_capability for device in devices} >= {
        (6, 1),
        (7, 0),
        (7, 5),
        (8, 0),
        (8, 9),
        (10, 0),
    }
    assert sum(profile.launches[0].failed for profile in profiles) == 3
