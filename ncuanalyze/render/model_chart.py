"""Modelled points on the rooflines of one or several GPUs, as SVG."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from ncuanalyze.render.chart_labels import Label, Layout, Point
from ncuanalyze.render.chart_marks import MARK, line, mark, text
from ncuanalyze.render.chart_scale import Frame, LogScale, pixels, tick_label
from ncuanalyze.render.chart_style import LEVELS, chart_css
from ncuanalyze.render.numbers import safe_text, si

WIDTH, HEIGHT, HEADING = 720, 440, 28.0
MOST_DECADES = 8.0


@dataclass(frozen=True, kw_only=True)
class ModelPoint:
    """One size: its intensity (FLOP/byte) and the rate it can attain."""

    name: str
    flop_per_byte: float
    flop_per_s: float


@dataclass(frozen=True, kw_only=True)
class ModelRoof:
    """One GPU: its two roofs and the points below them."""

    name: str
    peak_name: str
    peak_flop_per_s: float
    memory_bytes_per_s: float
    points: tuple[ModelPoint, ...]

    @property
    def ridge(self) -> float:
        """Intensity where the roofs meet."""
        return self.peak_flop_per_s / self.memory_bytes_per_s


@dataclass(frozen=True)
class _Plot:
    x: LogScale
    y: LogScale

    def at(self, flop_per_byte: float, flop_per_s: float) -> Point:
        return self.x.at(self.x.clamped(flop_per_byte)), self.y.at(self.y.clamped(flop_per_s))


def model_svg(title: str, roofs: Sequence[ModelRoof], *, theme: str = "light") -> str:
    """The chart; an empty text where no point has FLOP. GPUs differ by colour, mark and label."""
    shown = [roof for roof in roofs if _drawable(roof)]
    if not shown:
        return ""
    frame = Frame(width=WIDTH, height=HEIGHT, top=HEADING)
    plot = _scales(shown, frame)
    layout = Layout(frame.left + 2, frame.head, frame.right, frame.bottom)
    for roof in shown:
        layout.lines += [*_lines(roof, plot)]
        layout.marks += [(plot.at(p.flop_per_byte, p.flop_per_s), MARK + 1) for p in _drawable(roof)]
    body = [*_grid(plot, frame)]
    for index, roof in enumerate(shown):
        body += _series(roof, LEVELS[index % len(LEVELS)], plot, layout)
    name = escape(safe_text(title))
    head = f'<text class="ink head" x="12" y="20">{name}</text>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="ncu-roofline" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'role="img" aria-label="{name}"><title>{name}</title><style>{chart_css(theme)}</style>'
        f'<rect class="bg" width="{WIDTH}" height="{HEIGHT}"/>{head}{"".join(body)}</svg>'
    )


def _drawable(roof: ModelRoof) -> list[ModelPoint]:
    return [p for p in roof.points if 0 < p.flop_per_byte < float("inf") and p.flop_per_s > 0]


def _scales(roofs: Sequence[ModelRoof], frame: Frame) -> _Plot:
    points = [point for roof in roofs for point in _drawable(roof)]
    intensities = [*(p.flop_per_byte for p in points), *(roof.ridge for roof in roofs)]
    rates = [*(p.flop_per_s for p in points), *(roof.peak_flop_per_s for roof in roofs)]
    x, y = _room(intensities, below=3, above=40), _room(rates, below=10, above=3)
    return _Plot(LogScale(*x, frame.left, frame.right), LogScale(*y, frame.bottom, frame.head))


def _room(values: Sequence[float], *, below: float, above: float) -> tuple[float, float]:
    high = max(values) * above
    return max(min(values) / below, high / 10**MOST_DECADES), high


def _lines(roof: ModelRoof, plot: _Plot) -> tuple[tuple[Point, Point], tuple[Point, Point]]:
    start = max(plot.x.low, plot.y.low / roof.memory_bytes_per_s)
    corner = plot.at(roof.ridge, roof.peak_flop_per_s)
    memory = (plot.at(start, start * roof.memory_bytes_per_s), corner)
    return memory, (corner, plot.at(plot.x.high, roof.peak_flop_per_s))


def _series(roof: ModelRoof, level: str, plot: _Plot, layout: Layout) -> Iterator[str]:
    memory, compute = _lines(roof, plot)
    peak, bandwidth = si(roof.peak_flop_per_s, "FLOP/s"), si(roof.memory_bytes_per_s, "byte/s")
    yield line(level, *memory, f"{roof.name}: memory {bandwidth}")
    yield line(level, *compute, f"{roof.name}: {roof.peak_name} {peak}")
    points = [(point, plot.at(point.flop_per_byte, point.flop_per_s)) for point in _drawable(roof)]
    for point, spot in points:
        rate = si(point.flop_per_s, "FLOP/s")
        yield mark(level, spot, f"{roof.name}, {point.name}: {point.flop_per_byte:.3g} FLOP/byte, {rate}")
    yield from _labels(roof, points, (memory, compute), level, layout)


def _labels(
    roof: ModelRoof,
    points: Sequence[tuple[ModelPoint, Point]],
    lines: tuple[tuple[Point, Point], tuple[Point, Point]],
    level: str,
    layout: Layout,
) -> Iterator[str]:
    (_, corner), (_, end) = lines
    name = f"{roof.name}: {roof.peak_name} {si(roof.peak_flop_per_s, 'FLOP/s')}"
    above = [
        Label(text=name, x=x, y=corner[1] + dy, anchor=anchor)
        for dy in (-6.0, 14.0, -16.0)
        for x, anchor in ((end[0], "end"), (corner[0], "start"))
    ]
    if placed := layout.place(above):
        yield text(placed, level)
    for point, (x, y) in points:
        near = [
            Label(text=point.name, x=x + dx, y=y + dy, anchor=anchor)
            for dx, dy, anchor in ((9, 14, "start"), (-9, -7, "end"), (9, 4, "start"), (0, 20, "middle"))
        ]
        if placed := layout.place(near, needed=False):
            yield text(placed, "ink")


def _grid(plot: _Plot, frame: Frame) -> Iterator[str]:
    columns = [(tick, pixels(plot.x.at(tick))) for tick in plot.x.ticks()]
    rows = [(tick, pixels(plot.y.at(tick))) for tick in plot.y.ticks()]
    path = "".join(f"M{x} {pixels(frame.bottom)}V{pixels(frame.head)}" for _, x in columns)
    path += "".join(f"M{pixels(frame.left)} {y}H{pixels(frame.right)}" for _, y in rows)
    yield f'<path class="line grid" d="{path}"/>'
    for tick, x in columns:
        yield f'<text x="{x}" y="{pixels(frame.bottom + 15)}" text-anchor="middle">{tick_label(tick)}</text>'
    for tick, y in rows:
        place = f'x="{pixels(frame.left - 6)}" y="{pixels(float(y) + 4)}"'
        yield f'<text {place} text-anchor="end">{tick_label(tick)}</text>'
    centre, middle = (frame.left + frame.right) / 2, (frame.bottom + frame.head) / 2
    yield (
        f'<text class="ink" x="{pixels(centre)}" y="{frame.height - 9}" text-anchor="middle">'
        "Arithmetic intensity (FLOP/byte)</text>"
        f'<text class="ink" transform="translate(13 {pixels(middle)})rotate(-90)" text-anchor="middle">'
        "Attainable rate (FLOP/s)</text>"
    )
