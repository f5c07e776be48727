"""Brings a value to what its column can hold: a report is not trusted to keep to sane texts and numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ncuanalyze.batch.texts import cut

MOST_ITEMS = 1_024
"""Items of one list, such as the findings of a kernel."""


def fitting(kind: str, value: Any) -> Any:
    """The value, its texts and lists cut; None where a column of this kind cannot hold it."""
    return None if value is None else _FITTING[kind](value)


def _text(value: Any) -> str | None:
    return cut(value) if isinstance(value, str) else None


def _texts(value: Any) -> list[str] | None:
    if not isinstance(value, list | tuple):
        return None
    return [cut(item) for item in value[:MOST_ITEMS] if isinstance(item, str)]


def _integer(value: Any) -> int | None:
    return value if isinstance(value, int) and -(2**63) <= value < 2**63 else None


def _number(value: Any) -> float | None:
    try:
        return float(value) if isinstance(value, int | float) else None
    except OverflowError:
        return None


def _findings(value: Any) -> list[dict[str, Any]]:
    return [
        {name: _number(item) if name.startswith("speedup_") else _text(item) for name, item in finding.items()}
        for finding in value[:MOST_ITEMS]
    ]


_FITTING: dict[str, Callable[[Any], Any]] = {
    "text": _text,
    "texts": _texts,
    "integer": _integer,
    "number": _number,
    "truth": lambda value: value if isinstance(value, bool) else None,
    "time": lambda value: value,
    "findings": _findings,
}
