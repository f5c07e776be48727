"""The page's small drawings: well-formed, inside their axes, described in words."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from ncuanalyze.diagnosis import KernelGroup, Memory, MemoryLevel, Speedup
from ncuanalyze.render.svg import gain_gauge, memory_path, spread_gauge

from .documents import MEMORY


def test_memory_path_names_every_level_with_what_it_moved() -> None:
    svg = ElementTree.fromstring(memory_path(MEMORY))
    texts = [node.text for node in svg.iter("text")]
    assert texts[0] == "SM"
    assert {"L1", "L2", "DRAM", "Shared", "134 MB, 18 TB/s", "hit 38%, busy 44%", "busy 91.3%"} <= set(texts)
    assert "DRAM: 33.5 MB, 4.38 TB/s, busy 91.3%" in svg.attrib["aria-label"]


def test_links_are_as_thick_as_what_they_carry() -> None:
    svg = ElementTree.fromstring(memory_path(MEMORY))
    widths = [float(node.attrib["stroke-width"]) for node in svg.iter("path")]
    assert widths[0] == 16.0 and widths == sorted(widths, reverse=True)


def test_an_unreliable_hit_rate_is_not_drawn() -> None:
    assert "171" not in memory_path(MEMORY)


@pytest.mark.parametrize(
    "levels",
    [
        (),
        (MemoryLevel(level="l2"),),
        (MemoryLevel(level="dram", bytes=0.0), MemoryLevel(level="host", bytes=5.0)),
    ],
)
def test_a_path_with_gaps_is_still_a_drawing(levels: tuple[MemoryLevel, ...]) -> None:
    svg = ElementTree.fromstring(memory_path(Memory(levels=levels)))
    _, _, width, height = (float(part) for part in svg.attrib["viewBox"].split())
    assert all(float(node.attrib["x"]) + float(node.attrib["width"]) <= width for node in svg.iter("rect"))
    assert all(float(node.attrib["y"]) + float(node.attrib["height"]) <= height for node in svg.iter("rect"))


@pytest.mark.parametrize(
    ("speedup", "dot"),
    [
        (Speedup(low=1.0, estimate=1.0, high=1.0), 4.0),
        (Speedup(low=1.2, estimate=1.5, high=2.0), 100.0),
        (Speedup(low=0.9, estimate=9.0, high=99.0), 196.0),
    ],
)
def test_a_gain_stays_on_its_axis(speedup: Speedup, dot: float) -> None:
    circle = ElementTree.fromstring(gain_gauge(speedup, 2.0)).find("circle")
    assert circle is not None and float(circle.attrib["cx"]) == dot


def test_the_spread_of_launches_that_took_no_time() -> None:
    group = KernelGroup(
        name="k",
        kernels=("0", "1"),
        total_ns=0.0,
        share_pct=None,
        minimum_ns=0.0,
        median_ns=0.0,
        maximum_ns=0.0,
    )
    assert ElementTree.fromstring(spread_gauge(group)).attrib["aria-label"] == "0 ns to 0 ns"
