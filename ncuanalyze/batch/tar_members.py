"""The members of a tar archive, compressed or not, read as one stream to its very end.

``tarfile`` takes a bad header, or the end of the file, for the end of the archive. Here only the end marker is one:
an archive without it, or with anything but zeros behind it, is damaged behind the members that were read. It also
believes any size that a header claims, and reads on and on behind the end to skip it: such a claim ends the archive.
"""

from __future__ import annotations

import tarfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from tarfile import EOFHeaderError, HeaderError, ReadError  # type: ignore[attr-defined]  # no stub knows the first
from typing import IO, Any, Self, cast

from ncuanalyze.batch.archive_limits import Budget, TooLarge
from ncuanalyze.batch.packed import Packed
from ncuanalyze.batch.plain_stream import MAGIC_BYTES, PlainStream

MOST_HEADER_BYTES = 1 << 20
"""Of a header that is data itself: long names, and records of which ``tarfile`` parses every byte several times."""
_CHUNK = 1 << 20
_LONG_HEADERS = (
    tarfile.XHDTYPE,
    tarfile.XGLTYPE,
    tarfile.SOLARIS_XHDTYPE,
    tarfile.GNUTYPE_LONGNAME,
    tarfile.GNUTYPE_LONGLINK,
)


class _Strict(tarfile.TarInfo):
    """A header; a bad one is an error."""

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> Self:
        info = super().frombuf(buf, encoding, errors)
        if info.size < 0 or (info.type in _LONG_HEADERS and info.size > MOST_HEADER_BYTES):
            raise ReadError("a header claims a size that none has")
        return info

    @classmethod
    def fromtarfile(cls, tarfile: tarfile.TarFile) -> Self:
        try:
            return super().fromtarfile(tarfile)
        except EOFHeaderError:  # the end marker
            raise
        except HeaderError as error:
            raise ReadError(f"a header or its end marker should be there, not this: {error}") from error
        except IndexError as error:  # the map of a sparse file stops
            raise ReadError("the end is missing") from error


def tar_members(archive: Path, budget: Budget, is_wanted: Callable[[str], bool]) -> Iterator[Packed]:
    """Each wanted member, in order. Raises one of ``damage()`` where the archive is damaged behind them; TooLarge."""
    with archive.open("rb") as raw:
        magic = raw.read(MAGIC_BYTES)
        raw.seek(0)
        plain = cast("IO[bytes]", PlainStream(raw, magic, budget))
        with tarfile.open(fileobj=plain, mode="r|", bufsize=_CHUNK, tarinfo=_Strict) as packed:
            while (info := packed.next()) is not None:
                _check_claim(info, packed.offset, budget)
                if not info.isdir() and is_wanted(info.name):
                    yield _member(packed, info)
                packed.members.clear()  # type: ignore[attr-defined]  # else it keeps every header
            _check_rest(packed.fileobj)


def _check_claim(info: tarfile.TarInfo, behind: int, budget: Budget) -> None:
    """``behind``: where the next header is said to be. A sparse file may be of any size; little of it is stored."""
    stored = behind - info.offset_data
    if info.size < 0 or stored < 0:
        raise ReadError("a member claims a size below zero")
    if max(stored, info.size if info.isreg() and not info.issparse() else 0) > budget.size:
        raise TooLarge(f"it unpacks to more than {budget.size:,} bytes: one member claims more")


def _member(packed: tarfile.TarFile, info: tarfile.TarInfo) -> Packed:
    if not info.isreg() or info.sparse is not None:
        return Packed(name=info.name, refused="a link, a device or a sparse file, not a plain file")
    return Packed(name=info.name, open=partial(packed.extractfile, info))


def _check_rest(rest: Any) -> None:
    while chunk := rest.read(_CHUNK):
        if chunk.count(0) != len(chunk):
            raise ReadError("more follows its end marker; several archives in one file are not read")
