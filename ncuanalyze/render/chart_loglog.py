"""The log-log roofline: grid, roofs labelled on their lines, a mark for each memory level."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ncuanalyze.diagnosis import Roof, Roofline, RooflinePoint
from ncuanalyze.render.chart_arrows import arrow, pairs_of
from ncuanalyze.render.chart_labels import Label, Layout, Point, Segment
from ncuanalyze.render.chart_marks import (
    MARK,
    compute_roofs,
    line,
    mark,
    memory_roofs,
    rate_unit,
    roof_unit,
    text,
)
from ncuanalyze.render.chart_scale import Frame, LogScale, log_range, pixels, tick_label
from ncuanalyze.render.chart_style import LEVELS
from ncuanalyze.render.numbers import pct, safe_text, si

MOST_DECADES = 8.0
ROOM_FOR_LABELS = 12.0  # right of the last ridge, as a factor of intensity
LEVEL_NAMES = {"dram": "DRAM", "l2": "L2", "l1": "L1"}
LABEL_STEP = 20  # along a line, between candidates
LABEL_ABOVE, LABEL_BELOW = -5.0, 13.0  # of a line, to the baseline


@dataclass(frozen=True)
class _Plot:
    x: LogScale
    y: LogScale

    def xy(self, intensity: float, rate: float) -> Point:
        return self.x.at(intensity), self.y.at(rate)

    def held(self, point: RooflinePoint) -> Point:
        return self.xy(self.x.clamped(point.intensity), self.y.clamped(point.flop_per_s))


def loglog(roofline: Roofline, frame: Frame, before: Sequence[RooflinePoint] = ()) -> Iterator[str]:
    """The marks of the chart, back to front. There must be a point, a compute and a memory roof.

    ``before`` are points that the kernel came from: an arrow leads from each to the new one of its level.
    """
    earlier = [point for point in before if point.intensity > 0 and point.flop_per_s > 0]
    plot = _plot(roofline, frame, earlier)
    layout = Layout(frame.left + 2, frame.head, frame.right, frame.bottom)
    points = _drawable(roofline)
    layout.marks += [(plot.held(point), MARK + 2) for point in (*points, *earlier)]
    yield from _grid(plot, frame, rate_unit(points[0].precision if points else ""))
    yield from _roofs(roofline, plot, layout)
    for old, new in pairs_of(earlier, points):
        yield arrow(plot.held(old), plot.held(new), old, f"before, {_where(old)}")
    yield from _points(points, plot, layout)


def _drawable(roofline: Roofline) -> list[RooflinePoint]:
    points = [point for point in roofline.points if point.intensity > 0 and point.flop_per_s > 0]
    flop, size = roofline.algorithmic_flop, roofline.algorithmic_bytes
    if flop and size and points:
        seconds = points[0].flop / points[0].flop_per_s
        name = "algorithmic work over compulsory traffic"
        rate, precision = flop / seconds, points[0].precision
        points.append(
            RooflinePoint(
                name=name,
                level="",
                precision=precision,
                flop=flop,
                bytes=size,
                intensity=flop / size,
                flop_per_s=rate,
            )
        )
    return points


def _plot(roofline: Roofline, frame: Frame, earlier: Sequence[RooflinePoint]) -> _Plot:
    compute, memory = compute_roofs(roofline.roofs), memory_roofs(roofline.roofs)
    points = [*_drawable(roofline), *earlier]
    ridges = [roof.per_s / level.per_s for roof in compute for level in memory]
    x = log_range(
        (min(ridges) / 4, max(ridges) * ROOM_FOR_LABELS),
        [point.intensity for point in points],
        margin=4,
        most=MOST_DECADES,
    )
    y = log_range(
        (min(compute[-1].per_s / 80, memory[0].per_s * min(ridges)), compute[0].per_s * 3),
        [point.flop_per_s for point in points],
        margin=2.5,
        most=MOST_DECADES,
    )
    return _Plot(LogScale(*x, frame.left, frame.right), LogScale(*y, frame.bottom, frame.head))


def _grid(plot: _Plot, frame: Frame, unit: str) -> Iterator[str]:
    columns = [(tick, pixels(plot.x.at(tick))) for tick in plot.x.ticks()]
    rows = [(tick, pixels(plot.y.at(tick))) for tick in plot.y.ticks()]
    path = "".join(f"M{x} {pixels(frame.bottom)}V{pixels(frame.head)}" for _, x in columns)
    path += "".join(f"M{pixels(frame.left)} {y}H{pixels(frame.right)}" for _, y in rows)
    yield f'<path class="line grid" d="{path}"/>'
    below = pixels(frame.bottom + 15)
    labels = "".join(f'<text x="{x}" y="{below}">{tick_label(tick)}</text>' for tick, x in columns)
    centre = pixels((frame.left + frame.right) / 2)
    words = f"Arithmetic intensity ({unit[:-2]}/byte)"
    title = f'<text class="ink" x="{centre}" y="{frame.height - 9}">{words}</text>'
    yield f'<g text-anchor="middle">{labels}{title}</g>'
    labels = "".join(
        f'<text x="{pixels(frame.left - 6)}" y="{pixels(float(y) + 4)}">{tick_label(tick)}</text>' for tick, y in rows
    )
    middle = pixels((frame.bottom + frame.head) / 2)
    turned = f'transform="translate(13 {middle})rotate(-90)" text-anchor="middle"'
    yield f'<g text-anchor="end">{labels}</g><text class="ink" {turned}>Performance ({unit})</text>'


def _roofs(roofline: Roofline, plot: _Plot, layout: Layout) -> Iterator[str]:
    compute, memory = compute_roofs(roofline.roofs), memory_roofs(roofline.roofs)
    lines = [(roof, _compute_line(plot, roof, memory[-1])) for roof in compute]
    lines += [(roof, _memory_line(plot, roof, compute[0])) for roof in memory]
    layout.lines += [segment for _, segment in lines]
    for roof, segment in lines:
        kind = roof.level if roof.kind == "memory" else "" if roof.used else "near"
        yield line(kind, *segment, f"{roof.name}: {si(roof.per_s, roof_unit(roof))} = {roof.formula}")
        if roof.sustained_per_s and roof.used:
            yield _sustained(plot, roof, roof.sustained_per_s, segment)
    for roof, segment in lines:
        label = layout.place(_roof_labels(roof, segment), needed=roof.used)
        if label is not None:
            yield text(label, roof.level if roof.level in LEVELS else "ink" if roof.used else "")


def _compute_line(plot: _Plot, roof: Roof, fastest: Roof) -> Segment:
    start = plot.x.clamped(roof.per_s / fastest.per_s)
    return plot.xy(start, roof.per_s), plot.xy(plot.x.high, roof.per_s)


def _memory_line(plot: _Plot, roof: Roof, highest: Roof) -> Segment:
    start = max(plot.x.low, plot.y.low / roof.per_s)
    return plot.xy(start, start * roof.per_s), plot.xy(highest.per_s / roof.per_s, highest.per_s)


def _sustained(plot: _Plot, roof: Roof, sustained_per_s: float, segment: Segment) -> str:
    lower = plot.y.at(sustained_per_s) - plot.y.at(roof.per_s)
    (x1, y1), (x2, y2) = segment
    if roof.kind == "memory":
        across = -lower * plot.x.pixels_per_decade / plot.y.pixels_per_decade
        x1, x2 = x1 + across, x2 + across
    else:
        y1, y2 = y1 + lower, y2 + lower
    share = pct(100 * sustained_per_s / roof.per_s)
    tooltip = f"{roof.name}, sustained by saturating kernels: {si(sustained_per_s, roof_unit(roof))} ({share})"
    kind = f"sus {roof.level}" if roof.kind == "memory" else "sus"
    return line(kind, (x1, y1), (x2, y2), tooltip)


def _roof_labels(roof: Roof, segment: Segment) -> Iterator[Label]:
    words = safe_text(f"{roof.name} {si(roof.per_s, roof_unit(roof))}")
    (x1, y1), (x2, y2) = segment
    if roof.kind == "compute":
        for offset in (LABEL_ABOVE, LABEL_BELOW):
            for back in range(2, int(x2 - x1), LABEL_STEP):
                yield Label(text=words, x=x2 - back, y=y2 + offset, anchor="end")
        return
    angle = math.atan2(y2 - y1, x2 - x1)
    for share in (0.3, 0.45, 0.15, 0.6, 0.75, 0.05):
        for offset in (LABEL_ABOVE, LABEL_BELOW):
            x = x1 + share * (x2 - x1) - offset * math.sin(angle)
            y = y1 + share * (y2 - y1) + offset * math.cos(angle)
            yield Label(text=words, x=x, y=y, angle=math.degrees(angle))


def _points(points: list[RooflinePoint], plot: _Plot, layout: Layout) -> Iterator[str]:
    for point in points:
        x, y = plot.held(point)
        where = _where(point)
        if point.above_roof:
            where += ", above the roof"
            yield f'<circle class="ring" cx="{pixels(x)}" cy="{pixels(y)}" r="{MARK + 4:g}"/>'
        yield mark(point.level, (x, y), where)
    for point in points:
        label = layout.place(_point_labels(_point_words(point, points[0].precision, plot), plot.held(point)))
        if label is not None:
            yield text(label, "flag" if point.above_roof else point.level)


def _where(point: RooflinePoint) -> str:
    rate = si(point.flop_per_s, rate_unit(point.precision))
    return f"{point.name}: {rate} at {point.intensity:.3g} FLOP/byte"


def _point_words(point: RooflinePoint, main_precision: str, plot: _Plot) -> str:
    name = LEVEL_NAMES.get(point.level, "algorithmic")
    words = name if point.precision == main_precision else f"{point.precision} {name}"
    if point.above_roof:
        words += " (above roof)"
    if point.intensity != plot.x.clamped(point.intensity):
        words = f"{words} →" if point.intensity > plot.x.high else f"← {words}"
    return words


def _point_labels(words: str, at: Point) -> Iterator[Label]:
    x, y = at
    for away in (10.0, 18.0, 28.0):
        yield Label(text=words, x=x, y=y + away + 8, anchor="middle")
        yield Label(text=words, x=x + away, y=y + 4)
        yield Label(text=words, x=x - away, y=y + 4, anchor="end")
        yield Label(text=words, x=x, y=y - away, anchor="middle")
