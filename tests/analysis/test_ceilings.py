"""Measured ceilings: from reports to a file, from the file to the roofs."""

from pathlib import Path

import pytest
from roofline_launches import only, profile

from ncuanalyze.analysis.calibrate import calibrate
from ncuanalyze.analysis.ceilings import (
    Ceiling,
    Ceilings,
    ceilings_from_toml,
    load_ceilings,
    shipped_ceilings,
)
from ncuanalyze.errors import InvalidInput


def test_each_roof_takes_the_best_launch_that_is_nearest_to_it() -> None:
    found = calibrate([profile(name) for name in ("c11", "c12", "c23", "c24", "c26", "gemm")])
    shares = {ceiling.roof: round(ceiling.pct_of_roof, 1) for ceiling in found.ceilings.ceilings}
    assert shares["DRAM"] == 83.7
    assert shares["L2"] == 81.0
    assert shares["L1"] == 95.3
    assert shares["FP32 FMA"] == 92.3
    assert shares["FP64 FMA"] == 96.3
    assert shares["BF16 tensor"] == 90.3
    assert shares["FP64 tensor"] == 90.9
    assert shares["INT8 tensor (mma.sync)"] == 67.6
    assert "INT8 tensor" not in shares  # nothing here uses that path


def test_a_ceiling_says_where_it_comes_from() -> None:
    found = calibrate([profile("c26")]).ceilings
    (dram,) = found.ceilings
    assert (found.device, dram.kernel, dram.report, dram.unit) == (
        "NVIDIA H200",
        "c26_copy",
        "c26.raw.csv.xz",
        "byte/s",
    )
    assert dram.per_s / dram.roof_per_s == pytest.approx(dram.pct_of_roof / 100)


def test_a_short_launch_sets_no_ceiling() -> None:
    with pytest.raises(InvalidInput, match="no launch saturates a roof"):
        calibrate([profile("c44")])
    assert any("too short" in reason for reason in calibrate([profile("c44"), profile("c26")]).unused)


def test_reports_of_two_gpus_make_no_ceilings() -> None:
    with pytest.raises(InvalidInput, match="of one GPU") as error:
        calibrate([profile("c26"), profile("sm80_28")])
    assert "calibrate each GPU" in error.value.hint


CEILINGS = Ceilings(
    device='A "GPU"\\n',
    ncu_version="2025.3.1.0",
    ceilings=(
        Ceiling(
            roof="DRAM",
            pct_of_roof=90.0,
            per_s=9e11,
            unit="byte/s",
            kernel="copy\n[[ceiling]]",
            report="r.ncu-rep",
            roof_per_s=1e12,
            clock_hz=1e9,
            duration_ns=1e5,
        ),
    ),
)


def test_a_file_reads_back_whatever_the_names_hold() -> None:
    assert ceilings_from_toml(CEILINGS.to_toml(), "x.toml") == CEILINGS


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('schema = "ncuanalyze.ceilings/1"', 'schema = "something/1"'),
        ("pct_of_roof = 90.00", "pct_of_roof = -1"),
        ("pct_of_roof = 90.00", 'pct_of_roof = "much"'),
        ("pct_of_roof = 90.00", "pct_of_roof = nan"),
        ("per_s = 9e+11\n", ""),
        ("[[ceiling]]\n", "ceiling = 3\n"),
        ("device", "devices"),
        ("schema", "schema = ["),
    ],
)
def test_a_damaged_file_is_one_clear_error(old: str, new: str) -> None:
    text = CEILINGS.to_toml()
    assert old in text
    with pytest.raises(InvalidInput, match=r"x\.toml is no ceilings file") as error:
        ceilings_from_toml(text.replace(old, new, 1), "x.toml")
    assert "ncuanalyze calibrate" in error.value.hint


def test_a_missing_file_is_one_clear_error(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="cannot read"):
        load_ceilings(tmp_path / "none.toml")


def test_the_package_ships_an_h200() -> None:
    device = only("c26").device.name
    found = shipped_ceilings(device)
    assert found is not None and found.device == "NVIDIA H200"
    assert {"DRAM", "L2", "L1", "BF16 tensor", "FP8 tensor"} <= {ceiling.roof for ceiling in found.ceilings}
    assert all(50 <= ceiling.pct_of_roof <= 100.5 for ceiling in found.ceilings)


@pytest.mark.parametrize("device", [None, "", "NVIDIA H", "NVIDIA B200"])
def test_other_gpus_have_no_shipped_ceilings(device: str | None) -> None:
    assert shipped_ceilings(device) is None
