"""What a compressed file unpacks to, over all of its streams and to its very end.

A file may hold several gzip members, xz or bzip2 streams or zstd frames, with zeros between and behind them. Each is
checked against its own checksum and length; a last one without its end is an error, as is anything else behind it.
"""

from __future__ import annotations

from typing import IO

from ncuanalyze.batch.archive_limits import Budget
from ncuanalyze.batch.decompressors import Decompressor, decompressor


class PlainStream:
    """Reads the unpacked bytes of ``raw``, and spends them from ``budget``. An error stays: every read raises it."""

    def __init__(self, raw: IO[bytes], magic: bytes, budget: Budget) -> None:
        self._raw = raw
        self._made, self._read_bytes = decompressor(magic)
        self._now: Decompressor | None = None
        self._held = b""
        self._budget = budget
        self._error: BaseException | None = None

    def read(self, size: int) -> bytes:
        """Some of the next bytes; none at the end. Raises one of ``damage()``, TooLarge or MemoryError."""
        if self._error is not None:
            raise self._error
        try:
            data = self._next(size) if self._made is not None else self._raw.read(size)
            self._budget.spend(len(data))
        except BaseException as error:
            self._error = error
            raise
        return data

    def _next(self, size: int) -> bytes:
        while self._now is not None or self._begins():
            data = self._unpacked(size)
            if data:
                return data
        return b""

    def _begins(self) -> bool:
        """Whether there is another stream behind any number of zeros."""
        while not (held := self._held.lstrip(b"\0")):
            self._held = self._raw.read(self._read_bytes)
            if not self._held:
                return False
        self._held = held
        self._now = self._made() if self._made is not None else None
        return True

    def _unpacked(self, size: int) -> bytes:
        now = self._now
        if now is None:
            return b""
        data = now.decompress(self._more() if now.needs_input else b"", size)
        if now.eof:
            self._held, self._now = now.unused_data, None
        return data

    def _more(self) -> bytes:
        more, self._held = self._held or self._raw.read(self._read_bytes), b""
        if not more:
            raise EOFError("its compressed data stops before its end")
        return more
