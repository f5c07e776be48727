"""The marks of a chart: lines, texts and the shape of each memory level."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from ncuanalyze.diagnosis import Roof
from ncuanalyze.render.chart_labels import Label, Point
from ncuanalyze.render.chart_scale import pixels
from ncuanalyze.render.numbers import safe_text

MARK = 5.5  # half of a mark's size, in pixels


def compute_roofs(roofs: Sequence[Roof]) -> list[Roof]:
    """The compute roofs, highest first."""
    return sorted((roof for roof in roofs if roof.kind == "compute" and roof.per_s > 0), key=lambda roof: -roof.per_s)


def memory_roofs(roofs: Sequence[Roof]) -> list[Roof]:
    """The memory roofs, slowest first."""
    return sorted((roof for roof in roofs if roof.kind == "memory" and roof.per_s > 0), key=lambda roof: roof.per_s)


def rate_unit(precision: str) -> str:
    """``OP/s`` for integer work, else ``FLOP/s``."""
    return "OP/s" if precision.startswith("INT") else "FLOP/s"


def roof_unit(roof: Roof) -> str:
    """The unit of a roof's height."""
    return "byte/s" if roof.kind == "memory" else rate_unit(roof.level)


def line(kind: str, start: Point, end: Point, tooltip: str = "") -> str:
    """A straight line of a style class, with what a pointer over it reads."""
    path = f"M{pixels(start[0])} {pixels(start[1])}L{pixels(end[0])} {pixels(end[1])}"
    inside = f"<title>{escape(safe_text(tooltip))}</title>" if tooltip else ""
    return f'<path class="{escape(safe_text(f"line {kind}".strip()))}" d="{path}">{inside}</path>'


def text(label: Label, kind: str) -> str:
    """A placed label."""
    style = f' class="{escape(safe_text(kind))}"' if kind else ""
    anchor = "" if label.anchor == "start" else f' text-anchor="{label.anchor}"'
    if label.angle:
        place = f'transform="translate({pixels(label.x)} {pixels(label.y)})rotate({label.angle:.1f})"'
    else:
        place = f'x="{pixels(label.x)}" y="{pixels(label.y)}"'
    return f"<text{style} {place}{anchor}>{escape(label.text)}</text>"


def mark(level: str, at: Point, tooltip: str) -> str:
    """A disc for DRAM, a square for L2, a triangle for L1, a hollow diamond for anything else."""
    x, y, r = at[0], at[1], MARK
    shapes = {
        "dram": f"M{pixels(x - r)} {pixels(y)}a{r:g} {r:g} 0 1 0 {2 * r:g} 0a{r:g} {r:g} 0 1 0 {-2 * r:g} 0z",
        "l2": f"M{pixels(x - r)} {pixels(y - r)}h{2 * r:g}v{2 * r:g}h{-2 * r:g}z",
        "l1": f"M{pixels(x)} {pixels(y - r - 1.5)}l{r + 1.5:g} {2 * r + 1:g}h{-2 * r - 3:g}z",
    }
    diamond = f"M{pixels(x)} {pixels(y - r)}l{r:g} {r:g}l{-r:g} {r:g}l{-r:g} {-r:g}z"
    kind = f"mark {level}" if level in shapes else "open"
    inside = f"<title>{escape(safe_text(tooltip))}</title>"
    return f'<path class="{kind}" d="{shapes.get(level, diamond)}">{inside}</path>'
