"""Standard output that takes the whole of a text, or raises once.

With ``PYTHONUNBUFFERED`` (common in containers) it may take the first half: Python then drops the rest without a word.
"""

from __future__ import annotations

import io
import os
from typing import TextIO


def whole_writes(stream: TextIO) -> TextIO:
    """The stream itself where it is buffered; else one that writes until all is written."""
    raw = getattr(stream, "buffer", None)
    if not isinstance(raw, io.RawIOBase):
        return stream
    return io.TextIOWrapper(
        io.BufferedWriter(raw), encoding=stream.encoding, errors=stream.errors, line_buffering=True
    )


def drop_what_is_left(stream: TextIO) -> None:
    """Let go what could not be written: it was told, and the interpreter would tell it again as it ends."""
    try:
        stream.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
