"""The roofline as a picture: well-formed, small, escaped, without text over text, for every theme."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ncuanalyze.diagnosis import Roof, Roofline, RooflinePoint
from ncuanalyze.render.chart_labels import Label
from ncuanalyze.render.chart_scale import LogScale, log_range, tick_label
from ncuanalyze.render.charts import chart_css, roofline_svg

SVG = "{http://www.w3.org/2000/svg}"
FORMULA = "lts__x.sum.peak_sustained (6,016 byte/cycle) × lts__cycles_elapsed.avg.per_second (1.7 GHz)"


def memory(level: str, per_s: float, **more: float | None) -> Roof:
    return Roof(name=level.upper(), kind="memory", level=level, per_s=per_s, formula=FORMULA, **more)  # type: ignore[arg-type]


def compute(name: str, per_s: float, *, used: bool = True) -> Roof:
    return Roof(name=name, kind="compute", level=name.split()[0], per_s=per_s, formula=FORMULA, used=used)


def point(
    level: str, intensity: float, rate: float = 7.87e14, precision: str = "BF16", above: bool = False
) -> RooflinePoint:
    return RooflinePoint(
        name=f"{precision} tensor at {level}",
        level=level,
        precision=precision,
        flop=1.37e11,
        bytes=1.37e11 / intensity,
        intensity=intensity,
        flop_per_s=rate,
        above_roof=above,
    )


MEMORY = (memory("dram", 4.81e12, achieved_per_s=1e12), memory("l2", 1.03e13), memory("l1", 2.7e13))
ROOFS = (*MEMORY, compute("BF16 tensor", 8.72e14), compute("FP8 tensor", 1.744e15, used=False))
GEMM = Roofline(
    roofs=ROOFS,
    points=(point("dram", 784), point("l2", 166)),
    nearest_roof="BF16 tensor",
    nearest_roof_pct=90.3,
)


def texts(svg: str) -> list[str]:
    return ["".join(node.itertext()) for node in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def test_a_chart_names_each_roof_on_its_line_and_each_level_at_its_point() -> None:
    shown = texts(roofline_svg(GEMM, title="gemm"))
    for words in (
        "DRAM 4.81 TB/s",
        "L2 10.3 TB/s",
        "L1 27 TB/s",
        "BF16 tensor 872 TFLOP/s",
        "FP8 tensor 1.74 PFLOP/s",
    ):
        assert words in shown
    assert {"DRAM", "L2", "gemm", "Arithmetic intensity (FLOP/byte)", "Performance (FLOP/s)"} <= set(shown)
    assert "Nearest roof: BF16 tensor, 90.3% of it reached" in shown


def test_screen_readers_get_a_name_and_the_numbers() -> None:
    root = ElementTree.fromstring(roofline_svg(GEMM, title="gemm"))
    assert (root.get("role"), root.get("aria-label")) == ("img", "Roofline of gemm")
    description = root.findtext(f"{SVG}desc") or ""
    assert "787 TFLOP/s at 784 FLOP/byte" in description
    assert "Nearest roof: BF16 tensor" in description


def test_a_pointer_over_a_roof_reads_its_formula() -> None:
    assert roofline_svg(GEMM, title="gemm").count(f"= {FORMULA}</title>") == len(ROOFS)


def test_a_chart_is_a_few_kilobytes() -> None:
    assert len(roofline_svg(GEMM, title="gemm").encode()) < 5500
    assert len(roofline_svg(GEMM, title="gemm", heading=False, theme="none").encode()) < 4000


@pytest.mark.parametrize(
    "name", ["a<b>::c(float*, int)", "x & y", '"quoted"', "</svg><script>alert(1)</script>", "\u202eevil\x00"]
)
def test_names_from_a_report_are_text(name: str) -> None:
    svg = roofline_svg(GEMM, title=name)
    root = ElementTree.fromstring(svg)
    assert not list(root.iter(f"{SVG}script"))
    assert "\u202e" not in svg and "\x00" not in svg


def test_a_long_name_is_cut_to_the_width() -> None:
    (head,) = (text for text in texts(roofline_svg(GEMM, title="k" * 500)) if text.startswith("kkk"))
    assert head.endswith("…") and len(head) < 90


def test_integer_work_is_not_called_flop() -> None:
    integer = Roofline(
        roofs=(*MEMORY, compute("INT8 tensor", 1e15)), points=(point("dram", 784, precision="INT8"),)
    )
    shown = " ".join(texts(roofline_svg(integer, title="igemm")))
    assert "OP/byte" in shown and "POP/s" in shown and "FLOP" not in shown


def test_a_point_above_its_roof_is_ringed_and_said() -> None:
    above = Roofline(roofs=ROOFS, points=(point("dram", 10, 9e14, above=True),))
    svg = roofline_svg(above, title="short")
    assert 'class="ring"' in svg
    assert "DRAM (above roof)" in texts(svg)
    assert 'class="ring"' not in roofline_svg(GEMM, title="gemm")


def test_sustained_ceilings_are_dotted_beside_the_roofs_in_use() -> None:
    roofs = tuple(Roof(**{**roof.__dict__, "sustained_per_s": 0.9 * roof.per_s}) for roof in ROOFS)
    svg = roofline_svg(Roofline(roofs=roofs, points=GEMM.points), title="gemm")
    assert len(re.findall(r'class="line sus', svg)) == sum(roof.used for roof in roofs)
    assert "(90%)" in svg


def test_the_operators_own_work_is_a_point_of_its_own() -> None:
    named = Roofline(roofs=ROOFS, points=GEMM.points, algorithmic_flop=1.37e11, algorithmic_bytes=1e8)
    svg = roofline_svg(named, title="gemm")
    assert "algorithmic" in texts(svg)
    assert svg.count('class="open"') == 1


def test_several_precisions_are_told_apart() -> None:
    mixed = Roofline(
        roofs=(*ROOFS, compute("FP32 FMA", 5e13)),
        points=(point("dram", 784), point("dram", 7, 5e12, precision="FP32")),
    )
    assert {"DRAM", "FP32 DRAM"} <= set(texts(roofline_svg(mixed, title="attention")))


def test_a_point_outside_the_axes_stands_at_their_end_with_an_arrow() -> None:
    far = Roofline(roofs=ROOFS, points=(point("dram", 1e15), point("l2", 166)))
    assert "DRAM →" in texts(roofline_svg(far, title="far"))


def test_without_operations_each_memory_roof_is_a_bar() -> None:
    svg = roofline_svg(Roofline(roofs=MEMORY, points=()), title="copy")
    assert "DRAM 20.8%" in texts(svg)
    assert "1 TB/s of 4.81 TB/s" in texts(svg)
    assert not any("Arithmetic" in text for text in texts(svg))


@pytest.mark.parametrize(
    "roofline", [Roofline(roofs=(), points=()), Roofline(roofs=(compute("FP32 FMA", 1e13),), points=())]
)
def test_nothing_to_draw_is_an_empty_text(roofline: Roofline) -> None:
    assert roofline_svg(roofline, title="x") == ""


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_plain_theme_has_no_variables(theme: str) -> None:
    assert "var(" not in chart_css(theme) and "@media" not in chart_css(theme)


def test_the_reader_chooses_light_or_dark() -> None:
    assert "prefers-color-scheme:dark" in chart_css("auto")
    assert "<style" not in roofline_svg(GEMM, title="x", theme="none")


def relative_luminance(colour: str) -> float:
    digits = colour.lstrip("#")
    digits = "".join(char * 2 for char in digits) if len(digits) == 3 else digits
    parts = [int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", ["ink", "muted", "dram", "l2", "l1", "flag"])
def test_every_text_colour_is_readable_on_the_background(theme: str, name: str) -> None:
    from ncuanalyze.render.chart_style import THEMES

    bright, dim = sorted((relative_luminance(THEMES[theme][key]) for key in ("bg", name)), reverse=True)
    assert (bright + 0.05) / (dim + 0.05) >= 4.5


@pytest.mark.parametrize(
    ("value", "label"),
    [(1e-3, "0.001"), (0.1, "0.1"), (1.0, "1"), (100.0, "100"), (1e4, "10k"), (1e12, "1T"), (1e17, "100P")],
)
def test_ticks_read_as_numbers(value: float, label: str) -> None:
    assert tick_label(value) == label


def test_a_scale_maps_decades_evenly() -> None:
    scale = LogScale(1.0, 1e4, 100.0, 500.0)
    assert [scale.at(tick) for tick in scale.ticks()] == pytest.approx([100, 200, 300, 400, 500])
    assert (scale.clamped(1e9), scale.clamped(1e-9)) == (1e4, 1.0)


@given(st.lists(st.floats(1e-12, 1e24), max_size=5))
def test_a_range_holds_what_it_must_and_no_more_decades_than_allowed(values: list[float]) -> None:
    low, high = log_range((1.0, 1e3), values, margin=4, most=8)
    assert low <= 1.0 and high >= 1e3
    assert math.log10(high / low) <= 8 + 1e-9


rates = st.floats(1e6, 1e18)
levels = st.sampled_from(["dram", "l2", "l1"])
rooflines = st.builds(
    lambda memories, peaks, points: Roofline(
        roofs=(
            *(memory(level, value) for level, value in memories.items()),
            *(compute(f"{name} tensor", value, used=used) for name, (value, used) in peaks.items()),
        ),
        points=tuple(
            point(level, intensity, rate, precision, above)
            for level, intensity, rate, precision, above in points
        ),
    ),
    st.dictionaries(levels, st.floats(1e9, 1e15), min_size=1),
    st.dictionaries(
        st.sampled_from(["BF16", "FP8", "FP32", "FP64", "INT8"]), st.tuples(rates, st.booleans()), min_size=1
    ),
    st.lists(
        st.tuples(levels, st.floats(1e-9, 1e12), rates, st.sampled_from(["BF16", "FP32"]), st.booleans()),
        min_size=1,
        max_size=6,
    ),
)


def labels(svg: str) -> Iterator[tuple[str, list[tuple[float, float]]]]:
    """Each label inside the axes with points along its middle line."""
    for node in ElementTree.fromstring(svg).findall(f"{SVG}text"):
        words = "".join(node.itertext())
        turn = re.match(r"translate\(([-\d.]+) ([-\d.]+)\)rotate\(([-\d.]+)\)", node.get("transform", ""))
        x, y, angle = (
            map(float, turn.groups()) if turn else (float(node.get("x", 0)), float(node.get("y", 0)), 0.0)
        )
        if words.startswith(("Performance", "Nearest", "No distance", "random")):
            continue
        label = Label(text=words, x=x, y=y, anchor=node.get("text-anchor", "start"), angle=angle)
        yield words, list(label.middle_line())


@settings(max_examples=60, deadline=None)
@given(rooflines)
def test_any_roofline_draws_and_no_label_lies_on_another(roofline: Roofline) -> None:
    placed = list(labels(roofline_svg(roofline, title="random")))
    for index, (ours, spots) in enumerate(placed):
        for theirs, others in placed[:index]:
            near = min(math.dist(a, b) for a in spots for b in others)
            assert near > 9, f"{ours} lies on {theirs}"


@settings(max_examples=60, deadline=None)
@given(rooflines)
def test_no_coordinate_is_lost(roofline: Roofline) -> None:
    svg = roofline_svg(roofline, title="random")
    assert "nan" not in svg and "inf" not in svg


@pytest.mark.parametrize("anchor", ["start", "middle", "end"])
@pytest.mark.parametrize("angle", [0.0, -40.0])
def test_a_label_lies_between_its_ends(anchor: str, angle: float) -> None:
    label = Label(text="L2 10.3 TB/s", x=50, y=80, anchor=anchor, angle=angle)
    assert label.ends == (label.spots[0], label.spots[-1])
    along = math.dist(*label.ends)
    assert along == pytest.approx(label.width)
    assert all(math.dist(label.ends[0], spot) <= along + 1e-9 for spot in label.spots)
