"""A kernel's roofline as an SVG text, self-contained or for a page that holds the style sheet."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from ncuanalyze.diagnosis import Roofline
from ncuanalyze.render.chart_bars import bars
from ncuanalyze.render.chart_labels import GLYPH_WIDTH
from ncuanalyze.render.chart_loglog import loglog
from ncuanalyze.render.chart_marks import compute_roofs, memory_roofs, rate_unit
from ncuanalyze.render.chart_scale import Frame
from ncuanalyze.render.chart_style import chart_css
from ncuanalyze.render.numbers import pct, safe_text, si

__all__ = ["chart_css", "roofline_svg"]

WIDTH, HEIGHT = 640, 400
HEADING_HEIGHT = 38.0
HEADING_SIZE = 14
BOLD = 1.08  # bold glyphs over regular ones
BARS_HEIGHT = 34.0  # of one bar with its label


def roofline_svg(
    roofline: Roofline,
    *,
    title: str,
    heading: bool = True,
    theme: str = "auto",
    width: int = WIDTH,
    height: int = HEIGHT,
    before: Roofline | None = None,
) -> str:
    """The chart of one kernel; an empty text where there is nothing to draw.

    With counted operations it is the log-log roofline, without them bars of each memory roof's share.
    ``title`` is the kernel's name, drawn where ``heading`` is true and always told to screen readers.
    ``before``: the kernel's roofline on the base side; arrows lead from its points.
    ``theme``: ``auto`` (follows the reader's setting), ``light``, ``dark``, or ``none``, which leaves
    ``chart_css`` to the page.
    """
    top = HEADING_HEIGHT if heading else 0.0
    if roofline.points and compute_roofs(roofline.roofs) and memory_roofs(roofline.roofs):
        earlier = before.points if before else ()
        body = list(loglog(roofline, Frame(width=width, height=height, top=top), earlier))
    else:
        body = list(bars(roofline, Frame(width=width, height=height, top=top), BARS_HEIGHT))
        height = round(top + BARS_HEIGHT * (len(body) + 1))
    if not body:
        return ""
    head = list(_heading(roofline, title, width)) if heading else []
    return "".join((_open(roofline, title, theme, width, height), *head, *body, "</svg>"))


def _open(roofline: Roofline, title: str, theme: str, width: int, height: int) -> str:
    name = escape(safe_text(title))
    style = "" if theme == "none" else f"<style>{chart_css(theme)}</style>"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="ncu-roofline" viewBox="0 0 {width} {height}" '
        f'role="img" aria-label="Roofline of {name}">'
        f"<title>Roofline of {name}</title><desc>{escape(_description(roofline))}</desc>{style}"
        f'<rect class="bg" width="{width}" height="{height}"/>'
    )


def _description(roofline: Roofline) -> str:
    points = [
        f"{point.name}: {si(point.flop_per_s, rate_unit(point.precision))} at {point.intensity:.3g} FLOP/byte"
        + (" (above the roof)" if point.above_roof else "")
        for point in roofline.points
    ]
    return safe_text(". ".join([*points, _nearest(roofline)])) + "."


def _nearest(roofline: Roofline) -> str:
    if roofline.nearest_roof_pct is None:
        return "No distance to a roof is known"
    return f"Nearest roof: {roofline.nearest_roof}, {pct(roofline.nearest_roof_pct)} of it reached"


def _heading(roofline: Roofline, title: str, width: int) -> Iterator[str]:
    most = int((width - 24) / (HEADING_SIZE * GLYPH_WIDTH * BOLD))
    name = safe_text(title)
    shown = name if len(name) <= most else name[: most - 1] + "…"
    yield f'<text class="ink head" x="12" y="21">{escape(shown)}</text>'
    yield f'<text x="12" y="38">{escape(safe_text(_nearest(roofline)))}</text>'
