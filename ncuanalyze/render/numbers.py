"""Numbers and evidence as a reader sees them: three significant digits, SI prefixes, never a bare NaN."""

from __future__ import annotations

import math
from typing import TypeGuard

from ncuanalyze.diagnosis import Evidence, Speedup
from ncuanalyze.render.names import safe_text, short_name

__all__ = [
    "MISSING",
    "count",
    "digits",
    "dimensions",
    "duration",
    "evidence_text",
    "factor",
    "pct",
    "quantity",
    "safe_text",
    "short_name",
    "si",
    "speedup_text",
]

MISSING = "n/a"
DIGITS = 3
RELATION_SIGNS = {"<": "<", "<=": "≤", ">": ">", ">=": "≥", "==": "="}
_COUNTED_IN_FULL = 100_000
NEGATED_SIGNS = {"<": "≥", "<=": ">", ">": "≤", ">=": "<", "==": "≠"}

_PREFIXES = ("", "k", "M", "G", "T", "P", "E")
_SYMBOLS = {
    "byte": "B",
    "bytes": "B",
    "byte/s": "B/s",
    "byte/second": "B/s",
    "flop": "FLOP",
    "flop/s": "FLOP/s",
    "op/s": "OP/s",
    "hz": "Hz",
}
_DURATIONS_NS = {"ns": 1.0, "nsecond": 1.0, "us": 1e3, "usecond": 1e3, "ms": 1e6, "msecond": 1e6, "s": 1e9}
_COUNTED = frozenset(
    ("cycle", "sector", "request", "warp", "thread", "block", "wave", "sample", "instruction", "wavefront")
)


def duration(ns: float | None) -> str:
    """A time in ns as ``987 ns``, ``1.23 µs``, ``12.3 ms`` or ``4.56 s``."""
    if not _is_number(ns):
        return MISSING
    for scale, unit in ((1.0, "ns"), (1e3, "µs"), (1e6, "ms")):
        if abs(_rounded(ns / scale)) < 1000:
            return f"{digits(ns / scale)} {unit}"
    return f"{digits(ns / 1e9)} s"


def si(value: float | None, unit: str = "") -> str:
    """A number with an SI prefix: ``2.9 TB/s``, ``989 TFLOP/s``, ``1.23M cycles``, ``0.35 inst/cycle``."""
    if not _is_number(value):
        return MISSING
    name = f"{unit}s" if unit in _COUNTED and value != 1 else unit
    if unit in _COUNTED and abs(value) < _COUNTED_IN_FULL and float(value).is_integer():
        return f"{value:,.0f} {name}"
    step = 0
    while abs(_rounded(value / 1000**step)) >= 1000 and step + 1 < len(_PREFIXES):
        step += 1
    mantissa, prefix = digits(value / 1000**step), _PREFIXES[step]
    if symbol := _SYMBOLS.get(unit.lower()):
        return f"{mantissa} {prefix}{symbol}"
    return f"{mantissa}{prefix} {name}".rstrip()


def pct(value: float | None) -> str:
    """A share of 0-100 as ``46.2%``; above zero it never reads as zero, below 100 never as 100."""
    if not _is_number(value):
        return MISSING
    if 0 < value < 0.005:
        return "<0.01%"
    if 99.95 <= value < 100:
        return ">99.9%"
    places = 2 if abs(value) < 0.995 else 1
    return f"{_without_trailing_zeros(f'{value:.{places}f}')}%"


def quantity(value: float | None, unit: str = "") -> str:
    """A number in any base unit of ncu: times as ``duration``, shares as ``pct``, the rest as ``si``."""
    if not _is_number(value):
        return MISSING
    if unit == "%":
        return pct(value)
    if unit in _DURATIONS_NS:
        return duration(value * _DURATIONS_NS[unit])
    if unit == "x":
        return factor(value)
    return si(value, unit)


def factor(value: float | None) -> str:
    """A ratio of old over new: ``1.04×``, ``2.3×``, ``12×``; more digits near 1, where they matter."""
    if not _is_number(value):
        return MISSING
    places = 2 if abs(value) < 1.995 else 1 if abs(value) < 9.95 else 0
    return f"{value:.{places}f}×"


def count(value: float | None) -> str:
    """A whole number in full with separators: ``33,554,432``; a fraction keeps three digits."""
    if not _is_number(value):
        return MISSING
    return f"{value:,.0f}" if float(value).is_integer() else digits(value)


def digits(value: float) -> str:
    """Three significant digits without an exponent where that is readable, and no trailing zeros."""
    if value == 0 or not math.isfinite(value):
        return "0" if value == 0 else str(value)
    if abs(value) < 1e-4:
        return f"{value:.{DIGITS - 1}e}"
    places = max(0, DIGITS - 1 - math.floor(math.log10(abs(_rounded(value)))))
    return _without_trailing_zeros(f"{value:,.{places}f}")


def dimensions(size: tuple[int, int, int] | None) -> str:
    """A grid or block as ``4096 × 2``, without the trailing ones of its unused dimensions."""
    if size is None:
        return MISSING
    used = [part for index, part in enumerate(size) if index == 0 or any(rest != 1 for rest in size[index:])]
    return " × ".join(f"{part:,}" for part in used)


def evidence_text(evidence: Evidence) -> str:
    """The comparison that was made: ``DRAM throughput 91.3% ≥ 80%``; a bare value stands alone."""
    shown = f"{safe_text(evidence.label)} {quantity(evidence.value, evidence.unit)}"
    if evidence.limit is None or not evidence.relation:
        return shown
    signs = RELATION_SIGNS if evidence.holds else NEGATED_SIGNS
    return f"{shown} {signs[evidence.relation]} {quantity(evidence.limit, evidence.unit)}"


def speedup_text(speedup: Speedup) -> str:
    """The estimate with its interval: ``1.90× (1.4× to 2.3×)``; equal ends are not repeated."""
    low, estimate, high = factor(speedup.low), factor(speedup.estimate), factor(speedup.high)
    return estimate if low == estimate == high else f"{estimate} ({low} to {high})"


def _is_number(value: float | None) -> TypeGuard[float]:
    return value is not None and math.isfinite(value)


def _rounded(value: float) -> float:
    return float(f"{value:.{DIGITS - 1}e}")


def _without_trailing_zeros(text: str) -> str:
    return text.rstrip("0").rstrip(".") if "." in text else text
