"""Unpacks every stream of an xz, gzip, bzip2 or zstd file, one behind the other.

``cat``, pigz, bgzip and pixz make files of several streams. Zeros between and behind them are padding, as tapes leave
it; anything else must be a stream, so that a file which goes on behind damage is not taken for whole.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import IO, Any, Protocol

from ncuanalyze.errors import MissingDependency

MAX_STREAMS = 100_000  # bgzip makes one for 64 KiB: 6 GiB
_READ_BYTES = 1 << 16
_ZSTD_READ_BYTES = 1 << 10  # one call unpacks all of it: a block of 4 bytes can stand for 128 KiB
_WRITE_BYTES = 1 << 16
_MEMORY_LIMIT = 512 << 20


class _Stream(Protocol):
    @property
    def eof(self) -> bool: ...
    @property
    def needs_input(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int) -> bytes: ...


def xz(file: IO[bytes]) -> Iterator[bytes]:
    """The content of an xz file, in pieces of 64 KiB at most."""
    import lzma

    return _content(file, lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_MEMORY_LIMIT))


def gzip(file: IO[bytes]) -> Iterator[bytes]:
    """The content of a gzip file, as of ``xz``."""
    return _content(file, _GzipMember)


def bzip2(file: IO[bytes]) -> Iterator[bytes]:
    """The content of a bzip2 file, as of ``xz``."""
    import bz2

    return _content(file, bz2.BZ2Decompressor)


def zstd(file: IO[bytes]) -> Iterator[bytes]:
    """The content of a zstd file; pieces may be of 32 MiB. Raises MissingDependency."""
    try:
        import zstandard
    except ImportError as error:
        raise MissingDependency(
            "this file is packed with zstd, which needs the zstandard library",
            hint="Install it with: pip install 'ncuanalyze[zstd]', or unpack the file with: zstd -d FILE",
        ) from error
    decompressor = zstandard.ZstdDecompressor(max_window_size=_MEMORY_LIMIT)
    return _content(file, lambda: _ZstdFrame(decompressor.decompressobj()), _ZSTD_READ_BYTES)


def damage() -> tuple[type[Exception], ...]:
    """What the libraries raise for a damaged file, zip among them."""
    import lzma
    import zipfile
    import zlib

    zstandard = sys.modules.get("zstandard")
    zstd: tuple[type[Exception], ...] = (zstandard.ZstdError,) if zstandard is not None else ()
    own = (lzma.LZMAError, zlib.error, zipfile.BadZipFile)
    return (OSError, EOFError, ValueError, RuntimeError, *own, *zstd)


class _GzipMember:
    """zlib's object with the interface of the others."""

    def __init__(self) -> None:
        import zlib

        self._inner = zlib.decompressobj(wbits=31)

    @property
    def eof(self) -> bool:
        return self._inner.eof

    @property
    def needs_input(self) -> bool:
        return not self._inner.unconsumed_tail

    @property
    def unused_data(self) -> bytes:
        return self._inner.unused_data

    def decompress(self, data: bytes, max_length: int) -> bytes:
        return self._inner.decompress(self._inner.unconsumed_tail + data, max_length)


class _ZstdFrame:
    """zstandard's object with the interface of the others: it unpacks all that it is given."""

    needs_input = True

    def __init__(self, inner: Any) -> None:
        self._inner = inner

    @property
    def eof(self) -> bool:
        return bool(self._inner.eof)

    @property
    def unused_data(self) -> bytes:
        unused: bytes = self._inner.unused_data
        return unused

    def decompress(self, data: bytes, max_length: int) -> bytes:
        content: bytes = self._inner.decompress(data)
        return content


def _content(file: IO[bytes], start: Callable[[], _Stream], read_bytes: int = _READ_BYTES) -> Iterator[bytes]:
    packed = file.read(read_bytes)
    for _ in range(MAX_STREAMS):
        stream = start()
        yield from _one(stream, packed, file, read_bytes)
        packed = _behind_padding(stream.unused_data, file, read_bytes)
        if not packed:
            return
    raise ValueError(f"it holds more than {MAX_STREAMS:,} streams")


def _one(stream: _Stream, packed: bytes, file: IO[bytes], read_bytes: int) -> Iterator[bytes]:
    yield stream.decompress(packed, _WRITE_BYTES)
    while not stream.eof:
        packed = file.read(read_bytes) if stream.needs_input else b""
        if stream.needs_input and not packed:
            raise EOFError("the end is missing")
        yield stream.decompress(packed, _WRITE_BYTES)


def _behind_padding(unused: bytes, file: IO[bytes], read_bytes: int) -> bytes:
    packed = unused.lstrip(b"\0")
    while not packed and (more := file.read(read_bytes)):
        packed = more.lstrip(b"\0")
    return packed
