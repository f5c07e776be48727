"""Small drawings of the page as SVG: presentation attributes only, so that no inline style is needed."""

from __future__ import annotations

from html import escape

from ncuanalyze.diagnosis import KernelGroup, Memory, MemoryLevel, Speedup
from ncuanalyze.render.names import safe_text
from ncuanalyze.render.numbers import duration, pct, si

LEVEL_NAMES = {
    "l1": "L1",
    "l2": "L2",
    "dram": "DRAM",
    "host": "Host",
    "peer": "Peer GPU",
    "shared": "Shared",
    "local": "Local",
}
GAUGE_WIDTH = 200
"""Length of a gain's axis; it ends at the largest gain of the list, at least ``GAUGE_LEAST``."""
GAUGE_LEAST = 2.0

_BOX_WIDTH, _BOX_HEIGHT, _GAP = 170, 44, 40
_SIDE_X, _SIDE_WIDTH, _VIEW_WIDTH = 250, 110, 360
_WIDEST_LINK, _NARROWEST_LINK = 16.0, 1.5
_CHAIN, _SIDES = ("l1", "l2", "dram"), {"shared": 0, "peer": 1, "host": 2}


def gain_gauge(speedup: Speedup, end: float) -> str:
    """The gain's interval as a line with a dot at the estimate, on an axis from 1 to ``end``."""

    def x(value: float) -> float:
        return round(4 + (GAUGE_WIDTH - 8) * (min(max(value, 1.0), end) - 1) / (end - 1), 1)

    low, dot, high = x(speedup.low), x(speedup.estimate), x(speedup.high)
    return (
        f'<svg class="gauge" viewBox="0 0 {GAUGE_WIDTH} 10" aria-hidden="true">'
        f'<path class="axis" d="M4 5H{GAUGE_WIDTH - 4}"/><path class="span" d="M{low} 5H{high}"/>'
        f'<circle cx="{dot}" cy="5" r="4"/></svg>'
    )


def spread_gauge(group: KernelGroup) -> str:
    """Fastest to slowest launch as a line on an axis from 0 to the slowest, the median as a dot."""
    end = group.maximum_ns or 1.0
    low, dot, high = (
        round(4 + 112 * min(value / end, 1.0), 1)
        for value in (group.minimum_ns, group.median_ns, group.maximum_ns)
    )
    label = f"{duration(group.minimum_ns)} to {duration(group.maximum_ns)}"
    return (
        f'<svg class="gauge" viewBox="0 0 120 10" role="img" aria-label="{escape(label)}">'
        f'<path class="axis" d="M4 5H116"/><path class="span" d="M{low} 5H{high}"/>'
        f'<circle cx="{dot}" cy="5" r="4"/></svg>'
    )


def memory_path(memory: Memory) -> str:
    """From the SM down to DRAM: links as thick as the bytes they carry, boxes with hit rate and load."""
    levels = {level.level: level for level in memory.levels}
    widest = max((level.bytes or 0.0 for level in memory.levels), default=0.0)
    chain = [name for name in _CHAIN if name in levels]
    parts = [_box(0, 0, _BOX_WIDTH, "SM", "")]
    for row, name in enumerate(chain, start=1):
        parts += [_link_down(row, levels[name], widest), _level_box(0, row, _BOX_WIDTH, levels[name])]
    for name, row in _SIDES.items():
        if name in levels and (levels[name].bytes or levels[name].throughput_pct):
            at = min(row, len(chain))
            parts += [
                _link_aside(at, levels[name], widest),
                _level_box(_SIDE_X, at, _SIDE_WIDTH, levels[name]),
            ]
    height = (len(chain) + 1) * _BOX_HEIGHT + len(chain) * _GAP
    return (
        f'<svg class="path" viewBox="-1 -1 {_VIEW_WIDTH + 2} {height + 2}" role="img" '
        f'aria-label="{escape(describe_path(memory))}">{"".join(parts)}</svg>'
    )


def describe_path(memory: Memory) -> str:
    """The drawing in words, level by level."""
    return "; ".join(f"{level_name(level.level)}: {_caption(level)}" for level in memory.levels)


def level_name(level: str) -> str:
    """The level as readers know it."""
    return LEVEL_NAMES.get(level, safe_text(level))


def _caption(level: MemoryLevel) -> str:
    shown = [_moved(level), _inside(level)]
    return ", ".join(text for text in shown if text) or "nothing counted"


def _moved(level: MemoryLevel) -> str:
    rate = f", {si(level.bytes_per_s, 'byte/s')}" if level.bytes_per_s is not None else ""
    return f"{si(level.bytes, 'byte')}{rate}" if level.bytes is not None else rate.removeprefix(", ")


def _inside(level: MemoryLevel) -> str:
    shown = []
    if level.hit_rate_pct is not None and not level.unreliable:
        shown.append(f"hit {pct(level.hit_rate_pct)}")
    if level.throughput_pct is not None:
        shown.append(f"busy {pct(level.throughput_pct)}")
    return ", ".join(shown)


def _row_y(row: int) -> int:
    return row * (_BOX_HEIGHT + _GAP)


def _level_box(x: int, row: int, width: int, level: MemoryLevel) -> str:
    fill = width * min(level.throughput_pct or 0.0, 100) / 100
    load = f'<rect class="load" x="{x}" y="{_row_y(row)}" width="{fill:.0f}" height="{_BOX_HEIGHT}"/>'
    return load + _box(x, row, width, level_name(level.level), _inside(level))


def _box(x: int, row: int, width: int, name: str, caption: str) -> str:
    y = _row_y(row)
    lines = f'<text x="{x + 10}" y="{y + (19 if caption else 27)}" class="name">{escape(name)}</text>'
    if caption:
        lines += f'<text x="{x + 10}" y="{y + 35}">{escape(caption)}</text>'
    return f'<rect class="box" x="{x}" y="{y}" width="{width}" height="{_BOX_HEIGHT}" rx="3"/>{lines}'


def _link_down(row: int, level: MemoryLevel, widest: float) -> str:
    top, x = _row_y(row) - _GAP, _BOX_WIDTH // 3
    return (
        f'<path class="link" d="M{x} {top}v{_GAP}" stroke-width="{_thickness(level, widest)}"/>'
        f'<text x="{x + 16}" y="{top + 25}">{escape(_moved(level))}</text>'
    )


def _link_aside(row: int, level: MemoryLevel, widest: float) -> str:
    y = _row_y(row) + _BOX_HEIGHT // 2
    label = si(level.bytes, "byte") if level.bytes is not None else ""
    middle = (_BOX_WIDTH + _SIDE_X) // 2
    return (
        f'<path class="link" d="M{_BOX_WIDTH} {y}H{_SIDE_X}" stroke-width="{_thickness(level, widest)}"/>'
        f'<text x="{middle}" y="{y - 11}" text-anchor="middle">{escape(label)}</text>'
    )


def _thickness(level: MemoryLevel, widest: float) -> float:
    if not level.bytes or not widest:
        return _NARROWEST_LINK
    return round(max(_NARROWEST_LINK, _WIDEST_LINK * level.bytes / widest), 1)

