"""Without counted operations there is no intensity: each memory roof as a bar, filled as far as used."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from ncuanalyze.diagnosis import Roof, Roofline
from ncuanalyze.render.chart_marks import memory_roofs, roof_unit
from ncuanalyze.render.chart_scale import Frame, pixels
from ncuanalyze.render.numbers import pct, safe_text, si

THICKNESS = 9.0


def bars(roofline: Roofline, frame: Frame, step: float) -> Iterator[str]:
    """One group of marks a memory roof whose use is known, slowest roof first, ``step`` pixels apart."""
    known = [roof for roof in memory_roofs(roofline.roofs) if roof.achieved_per_s is not None]
    for index, roof in enumerate(known):
        yield _bar(roof, frame, frame.top + step * (index + 1))


def _bar(roof: Roof, frame: Frame, y: float) -> str:
    left, width, words = 12.0, frame.width - 24.0, pixels(y - 5)
    share = (roof.achieved_per_s or 0.0) / roof.per_s
    used = f"{si(roof.achieved_per_s, roof_unit(roof))} of {si(roof.per_s, roof_unit(roof))}"
    rect = f'x="{left:g}" y="{pixels(y)}" height="{THICKNESS:g}" rx="2"'
    name = escape(safe_text(roof.name))
    return (
        f"<g><title>{name}: {escape(safe_text(roof.formula))}</title>"
        f'<rect class="track" {rect} width="{pixels(width)}"/>'
        f'<rect class="{escape(safe_text(roof.level))}" {rect} width="{pixels(width * min(share, 1.0))}"/>'
        f"{_notch(roof, left, width, y)}"
        f'<text class="ink" x="{left:g}" y="{words}">{name} {pct(100 * share)}</text>'
        f'<text x="{pixels(left + width)}" y="{words}" text-anchor="end">{used}</text></g>'
    )


def _notch(roof: Roof, left: float, width: float, y: float) -> str:
    """Where saturating kernels end."""
    if not roof.sustained_per_s:
        return ""
    x = left + width * roof.sustained_per_s / roof.per_s
    return f'<path class="line" d="M{pixels(x)} {pixels(y - 2)}v{THICKNESS + 4:g}"/>'
