"""What a compressed file unpacks to, over all of its streams and to its very end.

Each stream is checked against its own checksum and length; a last one without its end is an error, as is anything but
zeros behind it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO

from ncuanalyze.batch.archive_limits import Budget
from ncuanalyze.load.streams import bzip2, gzip, xz, zstd

MAGIC_BYTES = 10
_CHUNK = 1 << 20
_ZSTD_FRAMES = (b"\x28\xb5\x2f\xfd", *(bytes((first, 0x2A, 0x4D, 0x18)) for first in range(0x50, 0x60)))


class PlainStream:
    """Reads the unpacked bytes of ``raw``, and spends them from ``budget``. An error stays: every read raises it."""

    def __init__(self, raw: IO[bytes], magic: bytes, budget: Budget) -> None:
        self._chunks = _chunks(raw, magic)
        self._held = memoryview(b"")
        self._budget = budget
        self._error: BaseException | None = None

    def read(self, size: int) -> bytes:
        """Some of the next bytes; none at the end. Raises one of ``damage()``, TooLarge or MemoryError."""
        if self._error is not None:
            raise self._error
        try:
            while not self._held and (chunk := next(self._chunks, None)) is not None:
                self._budget.spend(len(chunk))
                self._held = memoryview(chunk)
        except BaseException as error:
            self._error = error
            raise
        data, self._held = bytes(self._held[:size]), self._held[size:]
        return data


def _chunks(raw: IO[bytes], magic: bytes) -> Iterator[bytes]:
    if magic.startswith(b"\x1f\x8b"):
        return gzip(raw)
    if magic.startswith(b"\xfd7zXZ\0"):
        return xz(raw)
    if magic.startswith(b"BZh") and magic[4:10] == b"1AY&SY":
        return bzip2(raw)
    return zstd(raw) if magic.startswith(_ZSTD_FRAMES) else iter(lambda: raw.read(_CHUNK), b"")
