"""A document as JSON text: the same bytes for the same input, no NaN, and nothing in it that steers a terminal."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

_BEYOND_ASCII = re.compile(r"[^\n -~]")


def json_text(document: Any, default: Callable[[Any], str] | None = None) -> str:
    """Indented, ending in a newline. Control, bidirectional and invisible characters are escaped."""
    text = json.dumps(document, indent=1, ensure_ascii=False, allow_nan=False, default=default) + "\n"
    return text if text.isascii() and "\x7f" not in text else _BEYOND_ASCII.sub(_escaped, text)


def _escaped(found: re.Match[str]) -> str:
    char = found[0]
    if char.isprintable():
        return char
    return "\\u007f" if char == "\x7f" else json.dumps(char)[1:-1]  # DEL is ASCII
