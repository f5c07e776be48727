"""The name that a misspelt one was meant to be."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher, get_close_matches

_LENGTH_APART = 12


def nearest(name: str, names: Iterable[str]) -> str:
    """The most alike of the names (which must hold one); of several equals the first."""
    candidates = list(dict.fromkeys(names))
    about = [item for item in candidates if abs(len(item) - len(name)) <= _LENGTH_APART] or candidates
    found = get_close_matches(name, about, n=1, cutoff=0.5)
    return found[0] if found else max(about, key=lambda item: SequenceMatcher(None, item, name).quick_ratio())
