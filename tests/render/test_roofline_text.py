"""The roofline as plain text."""

from __future__ import annotations

from dataclasses import replace

from ncuanalyze.diagnosis import FlopCount, Roof, Roofline, RooflinePoint
from ncuanalyze.render.roofline_text import roofline_text

from .documents import bare_kernel

GEMV = Roofline(
    roofs=(
        Roof(
            name="DRAM",
            kind="memory",
            level="dram",
            per_s=4.8e12,
            formula="a × b",
            achieved_per_s=4.0e12,
            sustained_per_s=4.3e12,
        ),
        Roof(
            name="BF16 tensor",
            kind="compute",
            level="BF16",
            per_s=9e14,
            formula="c × d",
            source="published",
            used=False,
        ),
    ),
    points=(
        RooflinePoint(
            name="BF16 tensor at DRAM",
            level="dram",
            precision="BF16",
            flop=1073741824.0,
            bytes=134250496.0,
            intensity=8.0,
            flop_per_s=3.1e13,
            above_roof=True,
        ),
    ),
    flops=(
        FlopCount(
            precision="BF16",
            path="tensor",
            flop=1073741824.0,
            peak_flop_per_s=9e14,
            utilization_pct=3.1,
            exact=False,
            basis="hgmma\x1b[31m",
        ),
    ),
    nearest_roof="DRAM",
    nearest_roof_pct=83.3,
    algorithmic_flop=134217728.0,
    algorithmic_bytes=134250496.0,
    notes=("a note",),
)


def test_everything_that_a_chart_shows_is_in_the_text() -> None:
    text = roofline_text(replace(bare_kernel(), roofline=GEMV))
    for words in (
        "nearest roof: DRAM, 83.3% of it reached",
        "1,073,741,824 FLOP",
        "estimated, 3.1% of its path's peak",
        "31 TFLOP/s at 8 FLOP/byte, ABOVE ITS ROOF",
        "4.8 TB/s, 83.3% reached, 89.6% sustained by saturating kernels",
        "= a × b",
        "900 TFLOP/s, a neighbour, published",
        "8.0× of it executed",
        "1.00× of it moved at DRAM",
        "note: a note",
    ):
        assert words in text
    assert "\x1b" not in text


def test_a_kernel_without_a_roofline_says_how_to_get_one() -> None:
    assert "--set full" in roofline_text(replace(bare_kernel(), roofline=None))
