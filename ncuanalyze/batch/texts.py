"""Bounds texts that come from reports: one of 20 MB packs to nothing, and would be in every table."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any

MOST_TEXT = 8_192
"""Characters of one value in the dataset."""
_ELLIPSIS = "..."  # the one character would double the memory of a text that is ASCII


def cut(text: str, most: int = MOST_TEXT) -> str:
    """The text, cut to ``most`` characters with an ellipsis at its end."""
    return text if len(text) <= most else text[: most - len(_ELLIPSIS)] + _ELLIPSIS


def shown_text(text: str, most: int) -> str:
    """The text, cut, with halves of characters spelled out."""
    return cut(text, most).encode(errors="backslashreplace").decode()


def cut_texts(value: Any) -> Any:
    """A value of JSON with every text in it cut."""
    if isinstance(value, str):
        return cut(value)
    if isinstance(value, dict):
        return {cut(name): cut_texts(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [cut_texts(item) for item in value]
    return value


def characters_of(values: Iterable[Any]) -> int:
    """How many characters are in values of JSON."""
    size = 0
    for value in values:
        if isinstance(value, str):
            size += len(value)
        elif isinstance(value, list):
            size += characters_of(value)
        elif isinstance(value, dict):
            size += characters_of(value.values())
    return size


def short_key(text: str, most: int) -> str:
    """A text to group by: one that is longer than ``most`` ends in a hash of all of it, which keeps it apart."""
    if len(text) <= most:
        return text
    ending = f"{_ELLIPSIS}{hashlib.sha256(text.encode(errors='surrogateescape')).hexdigest()[:12]}"
    return text[: most - len(ending)] + ending
