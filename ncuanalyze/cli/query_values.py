"""Values of a query as JSON has them, and as words: nothing that the database holds is lost or guessed."""

from __future__ import annotations

import json
import math
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

_SECONDS_A_DAY, _MICROSECONDS = 86_400, 1_000_000


def json_text(value: Any) -> str:
    """The value in JSON, ASCII alone. NaN is missing, so null; an infinity is the text "Infinity" or "-Infinity"."""
    match value:
        case None:
            return "null"
        case bool() | int() | float() | Decimal():
            return number_text(value) if not isinstance(value, float) or math.isfinite(value) else _not_finite(value)
        case list() | tuple():
            return f"[{', '.join(json_text(item) for item in value)}]"
        case dict():
            return f"{{{', '.join(f'{_string(word(key))}: {json_text(item)}' for key, item in value.items())}}}"
        case _:
            return _string(word(value))


def _not_finite(value: float) -> str:
    return "null" if math.isnan(value) else _string(number_text(value))


def _string(text: str) -> str:
    return json.dumps(text).replace("\x7f", "\\u007f")


def number_text(value: bool | int | float | Decimal) -> str:
    """All digits of a number; ``true`` and ``false`` for a truth."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Decimal):
        return format(value, "f")
    if isinstance(value, float) and math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return repr(value)


def word(value: Any) -> str:
    """A value as one word: ISO 8601 for times, hexadecimal digits for bytes, JSON for lists and the like."""
    match value:
        case str():
            return value
        case datetime() | date() | time():
            return value.isoformat()
        case timedelta():
            return _period(value)
        case bytes() | bytearray() | memoryview():
            return bytes(value).hex()
        case None | list() | tuple() | dict():
            return json_text(value)
        case bool() | int() | float() | Decimal():
            return number_text(value)
        case _:
            return str(value)


def _period(value: timedelta) -> str:
    """Seconds in ISO 8601, as ``PT86400.5S``."""
    microseconds = (value.days * _SECONDS_A_DAY + value.seconds) * _MICROSECONDS + value.microseconds
    whole, part = divmod(abs(microseconds), _MICROSECONDS)
    sign = "-" if microseconds < 0 else ""
    return f"{sign}PT{whole}{f'.{part:06}'.rstrip('0') if part else ''}S"
