"""Unit spellings of Nsight Compute, and the one base unit that stands for each."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

_TIMES = {
    "ns": 1.0,
    "nsecond": 1.0,
    "nanosecond": 1.0,
    "us": 1e3,
    "usecond": 1e3,
    "microsecond": 1e3,
    "ms": 1e6,
    "msecond": 1e6,
    "millisecond": 1e6,
    "s": 1e9,
    "sec": 1e9,
    "second": 1e9,
}
_PREFIXES = {"K": 1e3, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15}
_PLURALS = {
    "sectors": "sector",
    "bytes": "byte",
    "cycles": "cycle",
    "branches": "branch",
    "instructions": "inst",
    "warps": "warp",
    "threads": "thread",
    "blocks": "block",
    "requests": "request",
    "samples": "sample",
    "registers": "register",
    "nseconds": "nsecond",
    "useconds": "usecond",
    "mseconds": "msecond",
    "seconds": "second",
}
_SCALED = frozenset({"byte", "sector", "inst", "cycle", "request", "warp", "thread", "block"})


class Unit(NamedTuple):
    """A base unit, and the factor that takes a printed number to it."""

    base: str
    factor: float


@cache
def unit_of(spelling: str) -> Unit:
    """Base unit and factor of a unit as ncu spells it; an unknown unit stands for itself."""
    top, slash, bottom = spelling.strip().partition("/")
    if slash:
        return _ratio(_simple(top), _simple(bottom))
    return _simple(top)


def _ratio(top: Unit, bottom: Unit) -> Unit:
    factor = top.factor / bottom.factor
    if bottom.base == "ns":
        factor, bottom = factor * 1e9, Unit("s", 1.0)
        if top.base in ("cycle", "1", ""):
            return Unit("hz", factor)
    return Unit(f"{top.base}/{bottom.base}", factor)


def _simple(word: str) -> Unit:
    word = _PLURALS.get(word, word)
    if word in _TIMES:
        return Unit("ns", _TIMES[word])
    if word.lower().endswith("hz") and len(word) <= 3:
        return Unit("hz", _PREFIXES.get(word[:-2], 1.0))
    rest = _PLURALS.get(word[1:], word[1:])
    if word[:1] in _PREFIXES and rest in _SCALED:
        return Unit(rest, _PREFIXES[word[0]])
    return Unit(word, 1.0)
