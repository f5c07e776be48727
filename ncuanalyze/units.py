"""Unit spellings of Nsight Compute, and the one base unit that stands for each.

Base units: ns, hz, byte, byte/s, byte/block, cycle, inst, sector, sector/s, ..., and %.
Prefixes are decimal: 1 Kbyte is 1000 byte.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

LARGEST = 1e100
"""No quantity of a GPU comes near; a larger number is damage, and its square overflows."""
SMALLEST = 1e-100
"""Nothing measured is nearer to zero; a smaller number is damage, and what is divided by it overflows."""
_LONGEST_NAME = 300
_PREFIXES = {"K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15}
_NANOSECONDS = {"n": 1.0, "nano": 1.0, "u": 1e3, "micro": 1e3, "m": 1e6, "milli": 1e6, "": 1e9}
_SINGULAR = {
    "branches": "branch",
    "bytes": "byte",
    "cycles": "cycle",
    "hertz": "hz",
    "instructions": "inst",
    "registers": "register",
    "requests": "request",
    "samples": "sample",
    "sectors": "sector",
    "threads": "thread",
    "warps": "warp",
}
_TIME = re.compile(r"(n|u|m|nano|micro|milli|)(?:s|sec|second)s?")
_PREFIXED = re.compile(r"([KMGTP])(byte|hz|hertz|inst|sector|cycle|request|warp|thread|block)s?", re.IGNORECASE)
_PER_SECOND = re.compile(r"\.per_second$|_per_sec$")

_NAMED_UNITS = (
    (re.compile(r"(\.pct|_pct|pct_of_peak\w*)$"), "%"),
    (re.compile(r"time_duration(\.\w+)?$"), "ns"),
    (re.compile(r"(cycles\w*\.\w+\.per_second|frequency)$"), "hz"),
    (re.compile(r"bytes\w*(\.\w+)?(\.per_second|_per_sec)$"), "byte/s"),
    (
        re.compile(r"__(\w+_)?bytes(_(read|write|global|local|surface|shared|miss)\w*)?(\.(sum|avg|min|max))?$"),
        "byte",
    ),
    (re.compile(r"cycles(_elapsed|_active)?(\.(sum|avg|min|max)|_(sum|avg|min|max))?$"), "cycle"),
    (re.compile(r"__requests\.(sum|avg|min|max)$"), "request"),
)

_UNSTEADY_UNITS = (
    (re.compile(r"pct_of_peak\w*$"), "%"),
    (re.compile(r"^smsp__pcsamp_warps_issue_stalled_"), "warp"),
    (re.compile(r"inst_executed"), "inst"),
    (re.compile(r"_sectors_"), "sector"),
)
"""What counts what its name says, though ``ncu_report`` gives one of several units, by what it was asked for before."""
_GIVEN_FOR_ANOTHER = frozenset({"byte", "inst", "thread"})


class Unit(NamedTuple):
    """A base unit, and the factor that takes a printed number to it."""

    base: str
    factor: float = 1.0


@cache
def unit_of(spelling: str) -> Unit:
    """Base unit and factor of a unit as ncu spells it; an unknown unit stands for itself."""
    top, slash, bottom = spelling.strip().partition("/")
    if not slash:
        return _simple(top)
    return _ratio(_simple(top), _simple(bottom))


@cache
def unit_of_metric(name: str, spelling: str) -> Unit:
    """Base unit and factor of one metric.

    Where ncu prints no unit, the name tells it (``..._pct`` is %, ``gpu__time_duration`` is ns). Some
    metrics come with units that are not theirs (``byte`` for a rate, ``inst`` or ``thread`` for the same
    count): there the name wins and the factor stays.
    """
    unit = unit_of(spelling)
    if not unit.base:
        return Unit(_unit_in_name(name, _NAMED_UNITS))
    if unit.base in ("byte", "sector", "inst") and _PER_SECOND.search(name):
        return Unit(f"{unit.base}/s", unit.factor)
    if unit.base == "byte" and name.endswith(".peak_sustained"):
        return Unit("byte/cycle", unit.factor)
    if unit.base in _GIVEN_FOR_ANOTHER:
        return Unit(_unit_in_name(name, _UNSTEADY_UNITS) or unit.base, unit.factor)
    return unit


def _ratio(top: Unit, bottom: Unit) -> Unit:
    if bottom.base != "ns":
        return Unit(f"{top.base}/{bottom.base}", top.factor / bottom.factor)
    per_second = top.factor * 1e9 / bottom.factor
    return Unit("hz" if top.base in ("cycle", "1") else f"{top.base}/s", per_second)


def _simple(word: str) -> Unit:
    if time := _TIME.fullmatch(word):
        return Unit("ns", _NANOSECONDS[time[1]])
    if prefixed := _PREFIXED.fullmatch(word):
        base = prefixed[2].lower()
        return Unit(_SINGULAR.get(base, base), _PREFIXES[prefixed[1].upper()])
    return Unit(_SINGULAR.get(word, word) if word.lower() != "hz" else "hz")


def _unit_in_name(name: str, patterns: Sequence[tuple[re.Pattern[str], str]]) -> str:
    if len(name) > _LONGEST_NAME:
        return ""
    return next((unit for pattern, unit in patterns if pattern.search(name)), "")
