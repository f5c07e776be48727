"""Where a kernel stood before, and an arrow to where it stands now."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from ncuanalyze.diagnosis import RooflinePoint
from ncuanalyze.render.chart_labels import Point
from ncuanalyze.render.chart_marks import MARK, mark
from ncuanalyze.render.chart_scale import pixels

HEAD = 7.0
"""Length of an arrow's head in pixels; shorter ways than twice a mark show none."""


Step = tuple[RooflinePoint, RooflinePoint]


def pairs_of(before: Sequence[RooflinePoint], after: Sequence[RooflinePoint]) -> list[Step]:
    """Old and new point of each memory level: of one precision where both have it, else the first of the level."""
    pairs = []
    for new in after:
        same_level = [old for old in before if old.level == new.level]
        same = [old for old in same_level if old.precision == new.precision] or same_level
        if same and new.level:
            pairs.append((same[0], new))
    return pairs


def arrow(start: Point, end: Point, old: RooflinePoint, words: str) -> str:
    """The old mark, faint, and the way to the new one."""
    return f'<g class="was">{mark(old.level, start, words)}{"".join(_way(start, end, old.level))}</g>'


def _way(start: Point, end: Point, level: str) -> Iterator[str]:
    length = math.dist(start, end)
    if length < 2 * MARK + HEAD:
        return
    ux, uy = (end[0] - start[0]) / length, (end[1] - start[1]) / length
    tip = (end[0] - ux * (MARK + 2), end[1] - uy * (MARK + 2))
    foot = (tip[0] - ux * HEAD, tip[1] - uy * HEAD)
    begin = (start[0] + ux * MARK, start[1] + uy * MARK)
    yield f'<path class="line {level}" d="M{_at(begin)}L{_at(foot)}"/>'
    left, right = ((foot[0] - side * uy * HEAD / 2, foot[1] + side * ux * HEAD / 2) for side in (1, -1))
    yield f'<path class="{level}" d="M{_at(tip)}L{_at(left)}L{_at(right)}z"/>'


def _at(point: Point) -> str:
    return f"{pixels(point[0])} {pixels(point[1])}"
