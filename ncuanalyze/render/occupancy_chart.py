"""What-if curves of occupancy as small step charts, side by side, as SVG."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from ncuanalyze.render.chart_scale import pixels
from ncuanalyze.render.chart_style import chart_css
from ncuanalyze.render.numbers import pct, safe_text

PANEL_WIDTH, PANEL_HEIGHT, GAP, LEFT, TOP, FOOT = 230.0, 190.0, 26.0, 46.0, 46.0, 44.0
QUARTERS = (0, 25, 50, 75, 100)


@dataclass(frozen=True, kw_only=True)
class StepCurve:
    """One panel: (value, percent) pairs, ascending, and the value of the launch itself."""

    title: str
    current: float
    current_pct: float
    points: tuple[tuple[float, float], ...]


def occupancy_svg(title: str, curves: Sequence[StepCurve], *, theme: str = "light") -> str:
    """The panels; the launch's own value is marked."""
    width = LEFT + len(curves) * (PANEL_WIDTH + GAP)
    height = TOP + PANEL_HEIGHT + FOOT
    name = escape(safe_text(title))
    body = "".join(part for index, curve in enumerate(curves) for part in _panel(curve, index))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="ncu-roofline" viewBox="0 0 {width:g} {height:g}" '
        f'role="img" aria-label="{name}"><title>{name}</title><style>{chart_css(theme)}</style>'
        f'<rect class="bg" width="{width:g}" height="{height:g}"/>'
        f'<text class="ink head" x="12" y="20">{name}</text>{_axis()}{body}</svg>'
    )


def _axis() -> str:
    labels = "".join(
        f'<text x="{LEFT - 6:g}" y="{pixels(_y(share) + 4)}" text-anchor="end">{share}%</text>'
        for share in QUARTERS
    )
    return f"<g>{labels}</g>"


def _panel(curve: StepCurve, index: int) -> Iterator[str]:
    left = LEFT + index * (PANEL_WIDTH + GAP)
    low, high = curve.points[0][0], curve.points[-1][0]

    def x(value: float) -> float:
        return left + PANEL_WIDTH * (min(max(value, low), high) - low) / (high - low)

    grid = "".join(f"M{pixels(left)} {pixels(_y(share))}h{PANEL_WIDTH:g}" for share in QUARTERS)
    yield f'<path class="line grid" d="{grid}"/>'
    yield f'<path class="line dram" d="{_steps([(x(value), _y(share)) for value, share in curve.points])}"/>'
    at = f'cx="{pixels(x(curve.current))}" cy="{pixels(_y(curve.current_pct))}"'
    tip = escape(f"now: {curve.current:,.0f}, {pct(curve.current_pct)}")
    yield f'<circle class="open" {at} r="5"><title>{tip}</title></circle>'
    foot = TOP + PANEL_HEIGHT
    for value, anchor in ((low, "start"), (high, "end")):
        yield f'<text x="{pixels(x(value))}" y="{foot + 16:g}" text-anchor="{anchor}">{value:,.0f}</text>'
    centre = pixels(left + PANEL_WIDTH / 2)
    yield f'<text class="ink" x="{centre}" y="{foot + 34:g}" text-anchor="middle">{escape(curve.title)}</text>'


def _steps(spots: Sequence[tuple[float, float]]) -> str:
    path = f"M{pixels(spots[0][0])} {pixels(spots[0][1])}"
    for x, y in spots[1:]:
        path += f"V{pixels(y)}H{pixels(x)}"
    return path


def _y(share: float) -> float:
    return TOP + PANEL_HEIGHT * (1 - share / 100)
