"""Times, bytes and shares in the sentences of the model: three digits, SI prefixes."""

from __future__ import annotations

_TIMES_NS = ((1e9, "s"), (1e6, "ms"), (1e3, "µs"), (1.0, "ns"))
_PREFIXES = ((1e18, "E"), (1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"))


def time_text(ns: float) -> str:
    """``180 µs``."""
    for scale, unit in _TIMES_NS:
        if ns >= 0.9995 * scale:
            return f"{digits(ns / scale)} {unit}"
    return f"{digits(ns)} ns"


def si_text(value: float, unit: str) -> str:
    """``67.1 MB``, ``2.04 TB/s``."""
    for scale, prefix in _PREFIXES:
        if value >= 0.9995 * scale:
            return f"{digits(value / scale)} {prefix}{unit}"
    return f"{digits(value)} {unit}"


def digits(value: float) -> str:
    """Three significant digits without an exponent."""
    if value == 0:
        return "0"
    text = f"{value:.3g}"
    return f"{float(text):.0f}" if "e" in text and abs(value) >= 1 else text
