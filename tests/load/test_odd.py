"""Every file of ``fixtures/odd`` loads to the expected values, or fails with the expected reason."""

import json

import pytest

from load.paths import ODD
from ncuanalyze.errors import NcuAnalyzeError
from ncuanalyze.load import load
from ncuanalyze.profile import KernelLaunch, Profile

EXPECTED = json.loads((ODD / "expected.json").read_text(encoding="utf-8"))


def read(name: str) -> Profile | NcuAnalyzeError:
    packed = ODD / f"{name}.xz"
    try:
        return load(packed if packed.exists() else ODD / name)
    except NcuAnalyzeError as error:
        return error


def launch_of(profile: Profile, key: str) -> KernelLaunch:
    return next(launch for launch in profile.launches if key in (launch.id, launch.name))


def test_all_files_are_here():
    names = {path.name.removesuffix(".xz") for path in ODD.iterdir()} | {path.name for path in ODD.iterdir()}
    assert len(EXPECTED) == 75
    assert not EXPECTED.keys() - names


@pytest.mark.parametrize("name", EXPECTED)
def test_file(name):
    expected = EXPECTED[name]
    outcome = read(name)
    if isinstance(outcome, NcuAnalyzeError):
        assert "error" in expected, outcome
        # the path is left out: a name such as err_mig.csv must not stand in for the reason
        assert expected["error"].lower() in str(outcome).replace(str(ODD), "").replace(name, "").lower()
        assert outcome.hint
        return
    most = 3 if expected["kernels"] == "0 to 3" else expected["kernels"]
    assert len(outcome.launches) == most or (most == 3 and len(outcome.launches) < 3)
    for key, label, value, unit in expected.get("values") or ():
        launch = launch_of(outcome, key)
        assert launch.number(label) == (None if value is None else pytest.approx(value, rel=1e-12)), label
        assert launch.metrics.unit(label) == (unit or launch.metrics.unit(label))
    if "names" in expected:
        assert [launch.demangled for launch in outcome.launches] == expected["names"]
    if "rules" in expected:
        assert sum(len(launch.stored_results) for launch in outcome.launches) == expected["rules"]


@pytest.mark.parametrize(
    "name", ["trunc_2good_1husk.ncu-rep", "trunc_1good_1husk.ncu-rep", "flipped_payload.ncu-rep"]
)
def test_a_lost_kernel_is_said(name):
    assert read(name).warnings == ("the report is truncated or damaged: 1 kernel is lost",)


@pytest.mark.parametrize(
    ("name", "whole"), [("trunc_in_header.ncu-rep", 23470), ("appended_newline.ncu-rep", 25831)]
)
def test_damage_behind_whole_kernels_says_how_to_read_them(name, whole, tmp_path):
    assert f"head -c {whole}" in read(name).hint
    repaired = tmp_path / "whole.ncu-rep"
    repaired.write_bytes((ODD / name).read_bytes()[:whole])
    assert len(load(repaired).launches) in (2, 3)


def test_units_known_from_pascal_names():
    launch = read("pascal_names.csv").launches[0]
    assert launch.duration_ns == 1310720
    assert launch.metrics.unit("gpu__time_duration") == "ns"
    assert launch.number("sm__throughput.avg.pct_of_peak_sustained_elapsed") == 88.5
    assert launch.metrics.unit("sm__throughput.avg.pct_of_peak_sustained_elapsed") == "%"


def test_rule_rows_are_results():
    results = read("details_20col.csv").launches[0].stored_results
    assert [(r.rule, r.section, r.kind, r.speedup_scope, r.speedup_pct) for r in results] == [
        ("SOLBottleneck", "SpeedOfLight", "optimization", "", None),
        ("AchievedOccupancy", "Occupancy", "optimization", "local", 59.0),
    ]
    assert results[0].title == "Latency Issue"


def test_failed_launch():
    ok, bad = read("failed_launch.csv").launches
    assert (ok.failed, bad.failed) == (False, True)
    assert (bad.grid, bad.block, bad.duration_ns) == (None, None, None)


def test_nvtx_is_not_the_kernel():
    launches = read("raw_nvtx.csv").launches
    assert [launch.name for launch in launches] == ["add", "mul"]
    assert [launch.nvtx for launch in launches] == [("outer", 'step, "one"'), ("outer", "step:2")]


def test_second_export_keeps_its_own_ids():
    assert [launch.id for launch in read("two_exports.csv").launches] == ["0", "1", "0 of export 2"]


def test_summary_counts_launches():
    launches = read("print_summary.csv").launches
    assert [launch.invocations for launch in launches] == [100, 3]


def test_foreign_lines_are_counted():
    assert "9 line(s) without data of a launch were skipped" in read("app_output_around.csv").warnings
