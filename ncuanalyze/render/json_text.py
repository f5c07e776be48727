"""A document as JSON text: the same bytes for the same input, no NaN, and nothing in it that steers a terminal."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

_PIECES = 10_000
_BEYOND_ASCII = re.compile(r"[^\n -~]")


def json_text(document: Any, default: Callable[[Any], str] | None = None) -> str:
    """Indented, ending in a newline. Control, bidirectional and invisible characters are escaped."""
    encoder = json.JSONEncoder(indent=1, ensure_ascii=False, allow_nan=False, default=default)
    text = "".join((*_joined(encoder.iterencode(document)), "\n"))
    return text if text.isascii() and "\x7f" not in text else _BEYOND_ASCII.sub(_escaped, text)


def _joined(pieces: Iterator[str]) -> Iterator[str]:
    """The pieces, of a few characters each, in larger ones: all at once would take more memory than the document."""
    while part := "".join(islice(pieces, _PIECES)):
        yield part


def _escaped(found: re.Match[str]) -> str:
    char = found[0]
    if char.isprintable():
        return char
    return "\\u007f" if char == "\x7f" else json.dumps(char)[1:-1]  # DEL is ASCII
