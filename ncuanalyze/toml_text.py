"""TOML that a user gave: parsed once its nesting is known to be small: the parser's cost grows with its square."""

from __future__ import annotations

import re
import tomllib
from typing import Any

MOST_DEEP = 32
"""Parts of one dotted key, and brackets inside brackets: what this package reads has four."""
_TOKEN = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*+(?:"{3,5}|\\?\Z)'
    r"|'''(?:[^']|'(?!''))*+(?:'{3,5}|\Z)"
    r'|"(?:[^"\\\n]|\\[^\n])*+"?'
    r"|'[^'\n]*+'?"
    r"|#[^\n]*+"
    r"|[][{}.,=\n]",
    re.DOTALL,
)
"""Strings and comments, whose brackets are none, and what nests; an open string is one too, for a linear time."""
_OPENS, _CLOSES, _ENDS_KEY = frozenset("[{"), frozenset("]}"), frozenset("[]{},=\n")


def loads(text: str) -> dict[str, Any]:
    """The tables of the text. Raises ValueError with the line of the mistake, or RecursionError."""
    _check_depth(text)
    return tomllib.loads(text)


def _check_depth(text: str) -> None:
    brackets = dots = 0
    for found in _TOKEN.finditer(text):
        token = found[0]
        if token == ".":
            dots += 1
        elif token in _ENDS_KEY:
            dots = 0
            brackets += (token in _OPENS) - (token in _CLOSES)
        if dots >= MOST_DEEP or brackets > MOST_DEEP:
            line = text.count("\n", 0, found.start()) + 1
            raise ValueError(f"nested more than {MOST_DEEP} deep (at line {line})")
