"""Texts of a report no longer than anybody reads, so that no output of it is larger than the report.

A name of 65,536 characters stays whole: the longest demangled C++ names of CUTLASS and Eigen have some ten thousand.
"""

from __future__ import annotations

LONGEST_CHARS = 65_536
LONGEST_LABEL_CHARS = 1000  # a metric, a section, a stream, a line of ncu's log
MOST_RANGES = 1000  # of NVTX around one launch
_ELLIPSIS = "…"


def bounded(text: str, most_chars: int = LONGEST_CHARS) -> str:
    """The text; where it is longer, its beginning with an ellipsis behind it."""
    return text if len(text) <= most_chars else text[: most_chars - 1] + _ELLIPSIS


def bounded_label(text: str) -> str:
    """A text that stands on one line."""
    return bounded(text, LONGEST_LABEL_CHARS)
