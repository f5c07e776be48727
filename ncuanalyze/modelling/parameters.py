"""``name=value`` text as the user types it: pairs, whole numbers, times."""

from __future__ import annotations

import math
import re
import shlex
from collections.abc import Iterable

from ncuanalyze.errors import InvalidInput

_TIMES_NS = {"ns": 1.0, "us": 1e3, "µs": 1e3, "ms": 1e6, "s": 1e9}
_SUFFIXES = {"k": 1e3, "m": 1e6, "g": 1e9, "t": 1e12}
_POWER = re.compile(r"^(\d{1,3})(?:\^|\*\*)(\d{1,3})$")
_LARGEST = 1e30


def parse_pairs(text: str | Iterable[str]) -> dict[str, str]:
    """``m=64 n=64 dtype=bf16`` as a dict with lower-case names. Raises ``InvalidInput``."""
    try:
        words = shlex.split(text) if isinstance(text, str) else list(text)
    except ValueError as error:
        raise InvalidInput(f"cannot read {text!r}: {error}", hint="write name=value pairs") from error
    pairs: dict[str, str] = {}
    for word in words:
        name, sign, value = word.partition("=")
        if not sign or not name or not value:
            raise InvalidInput(f"{word!r} is not a name=value pair", hint="such as m=4096 dtype=bf16")
        if name.lower() in pairs:
            raise InvalidInput(f"{name} is given twice", hint="keep one of them")
        pairs[name.lower()] = value
    return pairs


def whole_number(name: str, text: str | float, *, least: int = 1) -> int:
    """A whole number: ``4096``, ``2^26`` or ``64k`` (thousands). Raises ``InvalidInput``."""
    value = number(name, text)
    if value < least or value != int(value):
        kind = "positive whole number" if least else "whole number"
        raise InvalidInput(f"{name}={text} is not a {kind}", hint=f"such as {name}=4096")
    return int(value)


def number(name: str, text: str | float) -> float:
    """A number that is not negative: ``1.5e9``, ``2^26``, ``1.5G`` (SI). Raises ``InvalidInput``."""
    value = _parse_number(str(text).strip().replace("_", ""))
    if value is None or not 0 <= value <= _LARGEST:
        raise InvalidInput(f"{name}={text} is not a number", hint=f"such as {name}=4096, 2^26 or 1.5e9")
    return value


def duration_ns(text: str) -> float:
    """A time with its unit, such as ``0.18ms``, in nanoseconds. Raises ``InvalidInput``."""
    match = re.fullmatch(r"\s*([0-9.eE+-]+)\s*(ns|us|µs|ms|s)\s*", text)
    value = _float(match[1]) if match else None
    if match is None or value is None or not 0 < value < math.inf:
        raise InvalidInput(f"{text!r} is not a time", hint="give a unit: 0.18ms, 250us, 1.2s")
    return value * _TIMES_NS[match[2]]


def _parse_number(text: str) -> float | None:
    if power := _POWER.match(text):
        return float(int(power[1]) ** int(power[2])) if int(power[2]) <= 64 else None
    factor = _SUFFIXES.get(text[-1:].lower(), 1.0)
    value = _float(text[:-1] if factor != 1.0 else text)
    return None if value is None else value * factor


def _float(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None
