"""Two distributions of a duration on one axis: range, interval and median of each side."""

from __future__ import annotations

from html import escape

from ncuanalyze.compare.comparison import Spread
from ncuanalyze.render.numbers import duration

WIDTH, ROW, LEFT, RIGHT = 360, 26, 44, 12
TICKS = 4


def spread_chart(base: Spread | None, new: Spread | None) -> str:
    """An SVG with a line for each side from zero; empty where a side is missing."""
    if base is None or new is None:
        return ""
    end = max(base.maximum_ns, new.maximum_ns, base.high_ns, new.high_ns)
    if end <= 0:
        return ""
    rows = "".join(_row(place, name, side, end) for place, (name, side) in enumerate((("base", base), ("new", new))))
    label = f"base {duration(base.median_ns)}, new {duration(new.median_ns)}"
    height = 2 * ROW + 20
    return (
        f'<svg class="spread" viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{escape(label)}">'
        f"{_axis(end, height)}{rows}</svg>"
    )


def _x(value: float, end: float) -> float:
    return round(LEFT + (WIDTH - LEFT - RIGHT) * max(0.0, min(1.0, value / end)), 1)


def _axis(end: float, height: int) -> str:
    lines = []
    for tick in range(TICKS + 1):
        x = _x(end * tick / TICKS, end)
        lines.append(f'<path class="grid" d="M{x} 0V{2 * ROW}"/>')
        if tick in (0, TICKS):
            anchor = "start" if tick == 0 else "end"
            text = duration(end * tick / TICKS) if tick else "0"
            lines.append(f'<text x="{x}" y="{height - 6}" text-anchor="{anchor}">{escape(text)}</text>')
    return "".join(lines)


def _row(place: int, name: str, side: Spread, end: float) -> str:
    y = ROW * place + ROW // 2
    low, high, least, most, middle = (
        _x(value, end) for value in (side.low_ns, side.high_ns, side.minimum_ns, side.maximum_ns, side.median_ns)
    )
    return (
        f'<g class="{name}"><text x="0" y="{y + 4}">{name}</text>'
        f'<path class="range" d="M{least} {y}H{most}"/><path class="interval" d="M{low} {y}H{high}"/>'
        f'<circle cx="{middle}" cy="{y}" r="4.5"/></g>'
    )
