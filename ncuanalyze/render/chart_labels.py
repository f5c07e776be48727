"""Where a chart's labels go: the first candidate that touches no other label, no point and no line."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

GLYPH_WIDTH = 0.58  # of the font size: an average glyph of a sans-serif face
CLEARANCE = 0.5  # of the font size, from a text's middle line

Point = tuple[float, float]
Segment = tuple[Point, Point]


@dataclass(frozen=True, kw_only=True)
class Label:
    """A text with its baseline's anchor, in pixels; ``angle`` in degrees, clockwise."""

    text: str
    x: float
    y: float
    anchor: str = "start"  # start | middle | end
    angle: float = 0.0
    size: float = 11.0

    @property
    def width(self) -> float:
        """Estimated length of the text."""
        return len(self.text) * self.size * GLYPH_WIDTH

    @property
    def ends(self) -> tuple[Point, Point]:
        """Both ends of the middle line."""
        return self._spot(0.0), self._spot(1.0)

    @cached_property
    def middle(self) -> Point:
        """The middle of the middle line."""
        return self._spot(0.5)

    @cached_property
    def spots(self) -> tuple[Point, ...]:
        """The points of the middle line, worked out once."""
        return tuple(self.middle_line())

    def middle_line(self) -> Iterator[Point]:
        """Walk along the middle of the text's height."""
        steps = max(2, round(self.width / (self.size * CLEARANCE)))
        for step in range(steps + 1):
            yield self._spot(step / steps)

    def _spot(self, share: float) -> Point:
        shift = {"start": 0.0, "middle": 0.5, "end": 1.0}[self.anchor]
        cos, sin = math.cos(math.radians(self.angle)), math.sin(math.radians(self.angle))
        along, up = (share - shift) * self.width, -0.35 * self.size
        return self.x + along * cos - up * sin, self.y + along * sin + up * cos


@dataclass
class Layout:
    """The room of a chart, and what is already in it."""

    left: float
    top: float
    right: float
    bottom: float
    lines: list[Segment] = field(default_factory=list)
    marks: list[tuple[Point, float]] = field(default_factory=list)
    labels: list[Label] = field(default_factory=list)

    def place(self, candidates: Iterable[Label], *, needed: bool = True) -> Label | None:
        """Take the first candidate that is free; else, where ``needed``, the first to touch lines only."""
        options = []
        for label in filter(self._inside, candidates):
            if not self._touches_anything(label):
                return self._taken(label)
            options.append(label)
        for label in options if needed else ():
            if not self._touches_text(label):
                return self._taken(label)
        return None

    def _taken(self, label: Label) -> Label:
        self.labels.append(label)
        return label

    def _inside(self, label: Label) -> bool:
        margin = label.size * CLEARANCE
        return all(
            self.left <= x <= self.right and self.top + margin <= y <= self.bottom - margin for x, y in label.ends
        )

    def _touches_anything(self, label: Label) -> bool:
        reach = label.size * CLEARANCE
        around = reach + label.width / 2  # no spot is further from the middle
        return self._touches_text(label) or any(
            _distance(label.middle, line) < around and any(_distance(spot, line) < reach for spot in label.spots)
            for line in self.lines
        )

    def _touches_text(self, label: Label) -> bool:
        reach = label.size * CLEARANCE
        around = reach + label.width / 2
        for mark, radius in self.marks:
            if math.dist(label.middle, mark) < around + radius and any(
                math.dist(spot, mark) < reach + radius for spot in label.spots
            ):
                return True
        return any(_close(label, other, 2 * reach + 1) for other in self.labels)


def _close(ours: Label, theirs: Label, reach: float) -> bool:
    if math.dist(ours.middle, theirs.middle) >= (ours.width + theirs.width) / 2 + reach:
        return False
    return any(math.dist(a, b) < reach for a in ours.spots for b in theirs.spots)


def _distance(point: Point, line: Segment) -> float:
    (x1, y1), (x2, y2) = line
    dx, dy = x2 - x1, y2 - y1
    length = dx * dx + dy * dy
    share = 0.0 if length == 0 else ((point[0] - x1) * dx + (point[1] - y1) * dy) / length
    share = min(1.0, max(0.0, share))
    return math.dist(point, (x1 + share * dx, y1 + share * dy))
