"""Units of a budget: a scale to base units, and dimensions that must agree before numbers are compared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

Dimensions = tuple[tuple[str, int], ...]

_TIMES = {"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1.0, "nsecond": 1e-9, "second": 1.0}
_DECIMAL = {"": 1.0, "k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15}
_BINARY = {"Ki": 2.0**10, "Mi": 2.0**20, "Gi": 2.0**30}
_COUNTED = {
    "byte": ("B", "byte", "bytes"),
    "flop": ("FLOP", "flop"),
    "cycle": ("cycle", "cycles"),
    "inst": ("inst", "instruction", "instructions"),
    "sector": ("sector", "sectors"),
    "request": ("request", "requests"),
    "warp": ("warp", "warps"),
    "thread": ("thread", "threads"),
    "block": ("block", "blocks"),
    "register": ("register", "registers"),
}
_HERTZ = {"hz": "", "Hz": "", "khz": "k", "kHz": "k", "mhz": "M", "MHz": "M", "ghz": "G", "GHz": "G"}


@dataclass(frozen=True)
class Unit:
    """``scale`` takes a number to base units; ``dimensions`` are (base unit, power) pairs in order."""

    text: str
    scale: float
    dimensions: Dimensions

    def times(self, other: Unit, power: int = 1) -> Unit:
        """The unit of a product (``power`` 1) or a quotient (-1)."""
        powers = dict(self.dimensions)
        for base, exponent in other.dimensions:
            powers[base] = powers.get(base, 0) + power * exponent
        sign = "*" if power > 0 else "/"
        text = f"{self.text}{sign}{other.text}" if other.text else self.text
        return Unit(text, self.scale * other.scale**power, _ordered(powers))


PLAIN = Unit("", 1.0, ())


@cache
def unit_named(text: str) -> Unit | None:
    """The unit that a text names (``us``, ``GB/s``, ``KiB``, ``%``, ``inst/cycle``), or None."""
    if not text or text == "x":
        return PLAIN
    top, slash, bottom = text.partition("/")
    over = _simple(top)
    if not slash:
        return over
    under = _simple(bottom)
    if over is None or under is None:
        return None
    return Unit(text, over.scale / under.scale, over.times(under, -1).dimensions)


def is_unit(text: str) -> bool:
    """Whether the text names a unit other than none at all."""
    return bool(text) and unit_named(text) is not None


def foreign(text: str) -> Unit:
    """The unit of a metric as the report names it; an unknown one is a dimension of its own."""
    return unit_named(text) or Unit(text, 1.0, ((text, 1),))


@cache
def _simple(word: str) -> Unit | None:
    if word == "%":
        return Unit("%", 1.0, (("%", 1),))
    if word in _TIMES:
        return Unit(word, _TIMES[word], (("s", 1),))
    if word in _HERTZ:
        return Unit(word, _DECIMAL[_HERTZ[word]], (("cycle", 1), ("s", -1)))
    for base, spellings in _COUNTED.items():
        for spelling in spellings:
            prefix = word.removesuffix(spelling)
            if word.endswith(spelling) and prefix in _DECIMAL:
                return Unit(word, _DECIMAL[prefix], ((base, 1),))
            if base == "byte" and word.endswith(spelling) and prefix in _BINARY:
                return Unit(word, _BINARY[prefix], ((base, 1),))
    return None


def _ordered(powers: Mapping[str, int]) -> Dimensions:
    return tuple(sorted((base, exponent) for base, exponent in powers.items() if exponent))
