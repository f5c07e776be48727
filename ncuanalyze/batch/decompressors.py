"""Decompressors of one stream each, chosen by a file's first bytes; all with the interface of ``lzma`` and ``bz2``."""

from __future__ import annotations

import lzma
from collections.abc import Callable
from typing import Protocol

from ncuanalyze.errors import MissingDependency

MAGIC_BYTES = 10
_WINDOW_BYTES = 512 << 20
_ZSTD_FRAMES = (b"\x28\xb5\x2f\xfd", *(bytes((first, 0x2A, 0x4D, 0x18)) for first in range(0x50, 0x60)))
_READ_BYTES = 1 << 16
_ZSTD_READ_BYTES = 1 << 10
"""zstandard unpacks all that it is given, up to 32 KiB for each byte."""


class Decompressor(Protocol):
    """One stream, as in ``lzma`` and ``bz2``."""

    @property
    def eof(self) -> bool:
        """Whether the stream has ended, its checks passed."""

    @property
    def needs_input(self) -> bool:
        """Whether there is nothing more without other input."""

    @property
    def unused_data(self) -> bytes:
        """What came behind the stream."""

    def decompress(self, data: bytes, max_length: int) -> bytes:
        """The next bytes; no more than ``max_length``, as far as the library can."""


def decompressor(magic: bytes) -> tuple[Callable[[], Decompressor] | None, int]:
    """What makes a decompressor for each stream, and how much to give it at once; None for what is not compressed."""
    if magic.startswith(b"\x1f\x8b"):
        return _Gzip, _READ_BYTES
    if magic.startswith((b"\xfd7zXZ\0", b"\x5d\0\0\x80")):
        return lzma.LZMADecompressor, _READ_BYTES
    if magic.startswith(b"BZh") and magic[4:10] == b"1AY&SY":
        import bz2

        return bz2.BZ2Decompressor, _READ_BYTES
    return (_Zstd, _ZSTD_READ_BYTES) if magic.startswith(_ZSTD_FRAMES) else (None, _READ_BYTES)


class _Gzip:
    """One gzip member: zlib checks its CRC and its length."""

    def __init__(self) -> None:
        import zlib

        self._zlib = zlib.decompressobj(wbits=16 + zlib.MAX_WBITS)

    @property
    def eof(self) -> bool:
        return self._zlib.eof

    @property
    def needs_input(self) -> bool:
        return not self._zlib.unconsumed_tail

    @property
    def unused_data(self) -> bytes:
        return self._zlib.unused_data

    def decompress(self, data: bytes, max_length: int) -> bytes:
        return self._zlib.decompress(self._zlib.unconsumed_tail or data, max_length)


class _Zstd:
    """One zstd frame."""

    needs_input = True

    def __init__(self) -> None:
        try:
            import zstandard
        except ImportError as error:
            raise MissingDependency(
                "the archive is packed with zstd, which needs the zstandard library",
                hint="Install it with: pip install 'ncuanalyze[zstd]'",
            ) from error
        self._zstd = zstandard.ZstdDecompressor(max_window_size=_WINDOW_BYTES).decompressobj()

    @property
    def eof(self) -> bool:
        return bool(self._zstd.eof)

    @property
    def unused_data(self) -> bytes:
        return bytes(self._zstd.unused_data)

    def decompress(self, data: bytes, max_length: int) -> bytes:
        return bytes(self._zstd.decompress(data))
