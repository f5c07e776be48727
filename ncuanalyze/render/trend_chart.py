"""A kernel's time over the runs: points, the level of each stretch, and a line where it changed."""

from __future__ import annotations

import math
from collections.abc import Iterator
from html import escape

from ncuanalyze.history.trend import Series
from ncuanalyze.render.comparison_words import change
from ncuanalyze.render.names import safe_text
from ncuanalyze.render.numbers import duration

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 720, 190, 62, 14, 22, 26
COMMIT_WIDTH = 10
ROOM = 0.08
"""Space above and below the points, as a share of their range."""


def trend_chart(series: Series) -> str:
    """An SVG of the series; a single run is a point."""
    label = f"{len(series.points)} runs of {series.name}, {len(series.changes)} changes"
    body = "".join((*_axis(series), *_line(series), *_levels(series), *_points(series), *_changes(series)))
    return (
        f'<svg class="trend" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(safe_text(label))}">'
        f"{body}</svg>"
    )


def _range(series: Series) -> tuple[float, float]:
    times = [point.duration_ns for point in series.points]
    low, high = min(times), max(times)
    room = ROOM * (high - low) or 0.05 * high
    return max(0.0, low - room), high + room


def _x(series: Series, place: float) -> float:
    steps = max(1, len(series.points) - 1)
    return round(LEFT + (WIDTH - LEFT - RIGHT) * place / steps, 1)


def _y(series: Series, time: float) -> float:
    low, high = _range(series)
    return round(HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (time - low) / (high - low), 1)


def _axis(series: Series) -> Iterator[str]:
    for time in _ticks(*_range(series)):
        y = _y(series, time)
        yield f'<path class="grid" d="M{LEFT} {y}H{WIDTH - RIGHT}"/>'
        yield f'<text x="{LEFT - 6}" y="{y + 4}" text-anchor="end">{escape(duration(time))}</text>'
    for place, anchor in ((0, "start"), (len(series.points) - 1, "end")):
        if place or anchor == "start":
            words = escape(safe_text(series.points[place].commit[:COMMIT_WIDTH]))
            yield f'<text x="{_x(series, place)}" y="{HEIGHT - 8}" text-anchor="{anchor}">{words}</text>'


def _ticks(low: float, high: float) -> Iterator[float]:
    """Three to six round values between the ends."""
    rough = (high - low) / 4
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough)
    value = math.ceil(low / step) * step
    while value <= high:
        yield value
        value += step


def _line(series: Series) -> Iterator[str]:
    steps = (
        f"{'L' if place else 'M'}{_x(series, place)} {_y(series, point.duration_ns)}"
        for place, point in enumerate(series.points)
    )
    yield f'<path class="line" d="{"".join(steps)}"/>'


def _levels(series: Series) -> Iterator[str]:
    for level in series.levels:
        y = _y(series, level.median_ns)
        yield f'<path class="level" d="M{_x(series, level.first)} {y}H{_x(series, level.last)}"/>'


def _points(series: Series) -> Iterator[str]:
    for place, point in enumerate(series.points):
        words = f"{point.commit[:COMMIT_WIDTH]} {point.at[:10]}: {duration(point.duration_ns)}"
        yield (
            f'<circle class="point" cx="{_x(series, place)}" cy="{_y(series, point.duration_ns)}" r="2.5">'
            f"<title>{escape(safe_text(words))}</title></circle>"
        )


def _changes(series: Series) -> Iterator[str]:
    for found in series.changes:
        x = _x(series, found.place - 0.5)
        tone, anchor = "worse" if found.change_pct > 0 else "better", "end" if x > WIDTH / 2 else "start"
        at = x - 5 if anchor == "end" else x + 5
        yield f'<path class="change" d="M{x} {TOP - 8}V{HEIGHT - BOTTOM}"/>'
        words = escape(change(found.change_pct))
        yield f'<text class="{tone}" x="{at}" y="{TOP - 8}" text-anchor="{anchor}">{words}</text>'
