"""Printed values of an export: numbers in any locale, words for "not measured", instances in parentheses."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ncuanalyze.profile import Value

_MISSING = frozenset({"", "-", "n/a", "no data", "(!) n/a", "(!) no data", "(!)"})
_SPACES = str.maketrans("", "", "\u00a0\u202f\u2009'’ ")
_NUMBER = re.compile(r"[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?|[-+]?(inf|infinity|nan)", re.IGNORECASE)
_INSTANCES = re.compile(r"([^(]*?)\s?\((.*)\)$", re.DOTALL)


def _decisive(decimal: str, group: str) -> re.Pattern[str]:
    d, g = re.escape(decimal), re.escape(group)
    return re.compile(
        rf"^[-+]?(?:\d{{1,3}}(?:{g}\d{{3}})+{d}\d+|\d{{1,3}}(?:{g}\d{{3}}){{2,}}"
        rf"|\d+{d}(?:\d{{1,2}}|\d{{4,}})|0{d}\d+|\d{{4,}}{d}\d+)$",
        re.MULTILINE,
    )


_POINT = _decisive(".", ",")
_COMMA = _decisive(",", ".")
_PERCENT_COMMA = re.compile(r"^\d{1,2},\d{3}$", re.MULTILINE)


def decimal_sign(cells: Iterable[str], percentages: Iterable[str] = ()) -> str:
    """``.`` or ``,``: the decimal sign of one export, from the cells that leave no doubt.

    ``7,125`` alone may be either; a percentage of that form decides for the comma. Without a sign: the point.
    """
    text = "\n".join(cells).translate(_SPACES)
    comma = _COMMA.search(text)
    if _POINT.search(text) is None:
        return "," if comma or _PERCENT_COMMA.search("\n".join(percentages)) else "."
    if comma is None:
        return "."
    return "," if len(_COMMA.findall(text)) > len(_POINT.findall(text)) else "."


def value_of(cell: str, decimal: str = ".") -> Value | None:
    """A number (possibly NaN or infinite), a text, or None where nothing was measured."""
    text = _without_count(cell.strip())
    if text.lower() in _MISSING:
        return None
    number = number_of(text.removeprefix("(!)").strip(), decimal)
    if number is not None:
        return number
    if text.endswith(")") and (parts := _INSTANCES.match(text)):
        return _aggregate(parts[1], parts[2], text, decimal)
    return text


def _without_count(text: str) -> str:
    """``12`` of ``12 {4}``: the interface puts the number of instances behind a value."""
    value, brace, count = text[:-1].rpartition("{") if text.endswith("}") else (text, "", "")
    return value.rstrip() if brace and count.isdecimal() else text


def _aggregate(head: str, inside: str, text: str, decimal: str) -> Value | None:
    if not head:
        return None
    number = number_of(head, decimal)
    if number is not None:
        return number
    return head if inside == head or "; " in inside else text


def number_of(text: str, decimal: str = ".") -> float | None:
    """The number a text stands for, or None where it is no number."""
    text = text.replace(".", "").replace(",", ".") if decimal == "," else text.replace(",", "")
    text = text.translate(_SPACES)
    return float(text) if _NUMBER.fullmatch(text) else None


def instances_of(cell: str, decimal: str = ".") -> tuple[tuple[str | None, float | str | None], ...]:
    """(correlation id, value) pairs, printed as ``12 (4; 8)`` or ``12 (id: 4; id: 8)``."""
    parts = _INSTANCES.match(cell.strip())
    if parts is None:
        return ()
    return tuple(_instance(item, decimal) for item in parts[2].split("; "))


def _instance(item: str, decimal: str) -> tuple[str | None, float | str | None]:
    label, colon, value = item.rpartition(": ")
    return (label if colon else None), value_of(value, decimal)
