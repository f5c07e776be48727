"""Logarithmic axes of a chart: the range that holds the data, its ticks, and positions in pixels."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

PREFIXES = {-6: "µ", -3: "m", 0: "", 3: "k", 6: "M", 9: "G", 12: "T", 15: "P", 18: "E"}


@dataclass(frozen=True, kw_only=True)
class Frame:
    """The drawing's size in pixels; ``top`` is taken by the heading."""

    width: int
    height: int
    top: float

    @property
    def left(self) -> float:
        """Where the axes begin."""
        return 54.0

    @property
    def right(self) -> float:
        """Where they end."""
        return self.width - 12.0

    @property
    def bottom(self) -> float:
        """The foot of the axes."""
        return self.height - 44.0

    @property
    def head(self) -> float:
        """Their upper end."""
        return self.top + 12.0


@dataclass(frozen=True)
class LogScale:
    """Values from ``low`` to ``high`` onto pixels from ``start`` to ``end``."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        """The pixel of a value; values outside the range stay outside, also those that have no logarithm."""
        share = math.log10(value / self.low) / math.log10(self.high / self.low) if value > 0 else -1.0
        return self.start + share * (self.end - self.start)

    def clamped(self, value: float) -> float:
        """The value, moved to the nearest end of the range where it lies outside."""
        return min(max(value, self.low), self.high)

    def ticks(self) -> Iterator[float]:
        """The powers of ten inside the range, ends included."""
        first, last = math.ceil(math.log10(self.low) - 1e-9), math.floor(math.log10(self.high) + 1e-9)
        yield from (10.0**exponent for exponent in range(first, last + 1))

    @property
    def pixels_per_decade(self) -> float:
        """Signed length of one power of ten."""
        return (self.end - self.start) / math.log10(self.high / self.low)


def log_range(
    needed: tuple[float, float], values: Sequence[float], *, margin: float, most: float
) -> tuple[float, float]:
    """The ``needed`` range, widened to hold the values with a ``margin`` (factor), up to ``most`` decades.

    Values farther away stay outside; the range grows to each side by what the other leaves.
    """
    low, high = needed
    room = 10.0**most / (high / low)
    high = max(high, min(max([high, *(value * margin for value in values)]), high * max(room, 1.0)))
    room = 10.0**most / (high / low)
    low = min(low, max(min([low, *(value / margin for value in values)]), low / max(room, 1.0)))
    return low, high


def tick_label(value: float) -> str:
    """A power of ten as ``0.01``, ``100``, ``10k``, ``1P``."""
    exponent = round(math.log10(value))
    if -3 <= exponent < 0:
        return f"{value:g}"
    step = max(min(PREFIXES), min(max(PREFIXES), exponent // 3 * 3))
    return f"{10.0 ** (exponent - step):g}{PREFIXES[step]}"


def pixels(value: float) -> str:
    """A coordinate with one decimal at most."""
    return f"{value:.1f}".removesuffix(".0")
