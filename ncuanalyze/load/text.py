"""Turns the bytes of an export into text, whatever wrote them."""

from __future__ import annotations

from collections.abc import Iterator

_BOMS = (
    (b"\xef\xbb\xbf", "utf-8-sig"),
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
_SAMPLE = 4096
_PIECE = 1 << 20


def decode(data: bytes) -> str | None:
    """The text, with ``\\n`` line ends and no byte order mark; None where the bytes are no text.

    Bytes that are no UTF-8 are read as Latin-1: every byte has a meaning there, so nothing is lost.
    """
    text = _decoded(data)
    if text is None:
        return None
    return text.replace("\ufeff", "").replace("\r\n", "\n").replace("\r", "\n")


def lines_of(text: str) -> Iterator[str]:
    """The lines, without a list of all: short ones would take twenty times the memory of the text."""
    start = 0
    while (end := text.find("\n", start + _PIECE)) >= 0:
        yield from text[start:end].split("\n")
        start = end + 1
    yield from text[start:].split("\n")


def _decoded(data: bytes) -> str | None:
    for bom, encoding in _BOMS:
        if data.startswith(bom):
            return data.decode(encoding, "replace")
    if b"\x00" in data[:_SAMPLE]:
        return _without_bom(data)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _without_bom(data: bytes) -> str | None:
    sample = data[:_SAMPLE]
    if sample[1::2].count(0) > 0.4 * len(sample) / 2 and 0 not in sample[0:64:2]:
        return data.decode("utf-16-le", "replace")
    if sample[0::2].count(0) > 0.4 * len(sample) / 2 and 0 not in sample[1:64:2]:
        return data.decode("utf-16-be", "replace")
    return None
