"""A profile as a pandas table."""

import math
from pathlib import Path

import pytest

from ncuanalyze.load import load
from ncuanalyze.profile import Device, KernelLaunch, MetricTable, Profile

FIXTURES = Path(__file__).parents[1] / "fixtures"
SM = "sm__throughput.avg.pct_of_peak_sustained_elapsed"


def profile(*tables: dict) -> Profile:
    launches = tuple(
        KernelLaunch(
            id=str(at),
            name="k",
            demangled="k(int)",
            metrics=MetricTable(values, {"dram__bytes.sum": "byte"}),
            device=Device(),
            grid=(4, 2, 1) if at == 0 else None,
            nvtx=("outer", "step"),
        )
        for at, values in enumerate(tables)
    )
    return Profile(path="p", format="csv-raw", launches=launches)


def test_one_row_a_launch():
    frame = profile({"dram__bytes.sum": 8.0}, {"dram__bytes.sum": 16.0}).to_frame()
    assert list(frame.columns) == ["id", "name", "grid", "block", "nvtx", "dram__bytes.sum"]
    assert frame["dram__bytes.sum"].tolist() == [8.0, 16.0]
    assert frame["grid"].tolist()[0] == "4x2x1"
    assert frame["grid"].isna().tolist() == [False, True]
    assert frame["nvtx"].tolist() == ["outer/step"] * 2
    assert frame.attrs["units"] == {"dram__bytes.sum": "byte"}


def test_missing_is_nan_and_not_zero():
    frame = profile({"a__b.sum": 0.0}, {"c__d.sum": None}, {"a__b.sum": math.nan}).to_frame()
    assert frame["a__b.sum"].isna().tolist() == [False, True, True]
    assert frame["c__d.sum"].isna().all()


def test_chosen_metrics():
    frame = profile({"a__b.sum": 1.0, "c__d.sum": 2.0}).to_frame(["c__d.sum", "not__there.sum"])
    assert list(frame.columns[5:]) == ["c__d.sum", "not__there.sum"]
    assert frame["not__there.sum"].isna().all()


def test_lists_of_metric_names_are_left_out():
    assert "breakdown:x" not in profile({"breakdown:x": "a,b", "group:y": "c"}).to_frame().columns


def test_no_launches():
    assert len(profile().to_frame()) == 0


@pytest.mark.parametrize("page", ["demo.ncu-rep.xz", "demo.raw.csv.xz", "demo.details.csv.xz"])
def test_real_report(page):
    frame = load(FIXTURES / page).to_frame()
    assert frame["name"].tolist() == ["c04_bank", "c04_bank_fix"]
    assert frame[SM].tolist() == pytest.approx([5.486, 93.11], abs=0.005)
    assert frame.attrs["units"]["gpu__time_duration.sum"] == "ns"
