"""A profile to its diagnosis: facts passed on, the roof decided, and the same result every time."""

from pathlib import Path

import pytest
from launches import FIXTURES, PCT, make_launch, make_profile

from ncuanalyze.diagnose import AT_ROOF_SHARE, QUIET_GAIN, Options, diagnose
from ncuanalyze.diagnosis import Bound, KernelDiagnosis, from_dict, to_dict
from ncuanalyze.load import load

DRAM = "dram__cycles_active" + PCT
STREAM = {
    "gpu__time_duration.sum": 500e3,
    "sm__throughput" + PCT: 20,
    "sm__inst_executed" + PCT: 20,
    "gpu__compute_memory_throughput" + PCT: 85,
    DRAM: 85,
    "memory_l2_theoretical_sectors_global": 100,
    "memory_l2_theoretical_sectors_global_ideal": 100,
}


def kernel(metrics: dict[str, float], **fields: object) -> KernelDiagnosis:
    (found,) = diagnose(make_profile(make_launch(metrics, **fields))).kernels  # type: ignore[arg-type]
    return found


def dram(pct: float, **changed: float) -> dict[str, float]:
    return {**STREAM, "gpu__compute_memory_throughput" + PCT: pct, DRAM: pct, **changed}


@pytest.mark.parametrize(
    ("pct", "roof"), [(92 * AT_ROOF_SHARE + 0.01, True), (92 * AT_ROOF_SHARE - 0.01, False), (92, True), (60, False)]
)
def test_a_kernel_is_at_its_roof_from_a_share_of_what_the_unit_sustains(pct: float, roof: bool) -> None:
    found = kernel(dram(pct))
    assert (found.bound, found.limiter, found.at_roofline) == (Bound.MEMORY, "dram", roof)


@pytest.mark.parametrize(("sectors", "roof"), [(100, True), (200, False)])
def test_a_unit_that_moves_waste_is_not_at_its_roof(sectors: float, roof: bool) -> None:
    waste = {
        "memory_l2_theoretical_sectors_global": sectors,
        "lts__t_sectors_srcunit_tex.sum": sectors,
        "dram__bytes.sum": 32 * sectors,
    }
    found = kernel(dram(92, **waste))
    assert found.at_roofline is roof
    gains = [item.speedup.estimate for item in found.findings if item.speedup is not None]
    assert all(gain <= QUIET_GAIN for gain in gains) is roof


def test_without_the_counters_of_waste_the_roof_is_an_open_question() -> None:
    blind = {name: value for name, value in STREAM.items() if "theoretical" not in name}
    found = kernel(blind)
    assert found.at_roofline is False
    assert "whether all of its work is useful the report does not show" in found.summary


@pytest.mark.parametrize(("pipe", "roof"), [({"sm__pipe_fma_cycles_active" + PCT: 92}, True), ({}, False)])
def test_issue_slots_are_a_roof_only_beside_the_pipes(pipe: dict[str, float], roof: bool) -> None:
    busy = {
        "gpu__time_duration.sum": 500e3,
        "sm__throughput" + PCT: 98,
        "sm__inst_executed" + PCT: 98,
        "gpu__compute_memory_throughput" + PCT: 10,
        "smsp__thread_inst_executed_per_inst_executed.ratio": 32,
    }
    assert kernel({**busy, **pipe}).at_roofline is roof


def test_a_latency_bound_kernel_is_at_no_roof() -> None:
    assert kernel(dram(55)).at_roofline is False


def test_a_throughput_without_a_unit_is_at_no_roof() -> None:
    found = kernel({name: value for name, value in STREAM.items() if name != DRAM})
    assert (found.bound, found.limiter, found.at_roofline) == (Bound.MEMORY, None, False)


@pytest.mark.parametrize(
    ("metrics", "headroom"),
    [(dram(92), 0.0), ({"gpu__time_duration.sum": 5e5}, None)],
    ids=["measured: none", "unit loads not collected"],
)
def test_headroom_of_a_kernel_without_findings(metrics: dict[str, float], headroom: float | None) -> None:
    assert kernel(metrics).headroom_pct == headroom


def test_headroom_is_what_the_first_finding_saves() -> None:
    found = diagnose(load(FIXTURES / "demo.raw.csv.xz")).kernels[0]
    assert found.findings[0].speedup is not None
    assert found.headroom_pct == pytest.approx(100 * (1 - 1 / found.findings[0].speedup.estimate))


def test_a_failed_launch() -> None:
    diagnosis = diagnose(load(FIXTURES / "variants" / "fault.ncu-rep.xz"))
    bad = next(item for item in diagnosis.kernels if item.kernel.name == "bad")
    assert (bad.bound, bad.duration_ns, bad.limiter, bad.at_roofline) == (Bound.INCONCLUSIVE, None, None, False)
    assert [item.id for item in bad.findings] == ["launch_failed"]
    assert bad.summary == "The launch failed: no data."


def test_shares_of_time_leave_out_failed_launches() -> None:
    found = diagnose(
        make_profile(
            make_launch({"gpu__time_duration.sum": 300}, id="a"),
            make_launch({"gpu__time_duration.sum": 100}, id="b"),
            make_launch({"gpu__time_duration.sum": 100}, id="c", failed=True),
            make_launch({}, id="d"),
        )
    )
    shares = {item.kernel.id: item.time_share_pct for item in found.kernels}
    assert (shares["c"], shares["d"]) == (None, None)
    assert shares["a"] == pytest.approx(75)
    assert found.total_ns == 400


def test_a_profile_without_launches() -> None:
    found = diagnose(make_profile())
    assert (found.kernels, found.total_ns, found.device.name) == ((), None, None)


def test_warnings_of_the_loader_are_passed_on() -> None:
    assert diagnose(make_profile(warnings=("cut off",))).warnings == ("cut off",)


@pytest.mark.parametrize(
    "fixture",
    ["demo.ncu-rep.xz", "triples/c14.raw.csv.xz", "triples/c26.details.csv.xz", "variants/graph.ncu-rep.xz"],
)
def test_the_same_report_gives_the_same_diagnosis_and_survives_saving(fixture: str) -> None:
    first, second = (diagnose(load(FIXTURES / fixture), options=Options(hotspots=True)) for _ in range(2))
    assert to_dict(first) == to_dict(second)
    assert to_dict(from_dict(to_dict(first))) == to_dict(first)


def test_facts_of_the_source_and_the_launch_are_passed_on() -> None:
    found = diagnose(load(FIXTURES / "demo.ncu-rep.xz"))
    assert (found.source.file, found.source.format) == ("demo.ncu-rep.xz", "ncu-rep")
    assert (found.device.name, found.device.compute_capability, found.device.sm_count) == ("NVIDIA H200", "9.0", 132)
    first = found.kernels[0]
    assert (first.kernel.grid, first.kernel.block) == ((1056, 1, 1), (256, 1, 1))
    assert first.launch is not None and first.launch["grid_size"] == 1056
    assert first.speed_of_light is not None
    assert first.speed_of_light.units[0].unit == "shared"
    assert [unit.pct for unit in first.speed_of_light.units] == sorted(
        (unit.pct for unit in first.speed_of_light.units), reverse=True
    )


def test_metrics_hot_spots_and_lines_come_on_request() -> None:
    profile = load(FIXTURES / "demo.ncu-rep.xz")
    plain = diagnose(profile, options=Options(lines=False)).kernels[0]
    whole = diagnose(profile, options=Options(hotspots=True, all_metrics=True)).kernels[0]
    assert (plain.metrics, plain.source_hotspots, plain.findings[0].source_lines) == ((), None, ())
    assert len(whole.metrics) > 300
    assert whole.source_hotspots is not None
    (line, *_) = whole.findings[0].source_lines
    assert Path(line.file).name == "planted.cu"
    assert line.share_pct > 90
