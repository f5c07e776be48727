"""The reports inside a zip or tar archive, one after the other, without trusting anything the archive says.

Nothing is written under a member's own name, so no name can lead out of a folder; names that try are refused all the
same, as are links, devices, encrypted members, archives inside archives and whatever unpacks to an absurd size.
"""

from __future__ import annotations

import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from ncuanalyze.batch.endings import is_archive, is_report
from ncuanalyze.errors import MissingDependency
from ncuanalyze.record import record

MOST_RATIO = 300
LEAST_LIMIT_BYTES = 1 << 30
LEAST_LIMIT_MEMBERS = 100_000
BYTES_PER_MEMBER = 500
"""No report is smaller, packed by itself; an archive may hold ``LEAST_LIMIT_MEMBERS`` of any size."""
MOST_NAME = 1024
_ZIP_MAGIC, _ZSTD_MAGIC = b"PK", b"\x28\xb5\x2f\xfd"
_ENCRYPTED = 0x1
_WINDOW_BYTES = 512 << 20
_CHUNK = 1 << 20

DAMAGE = (zipfile.BadZipFile, tarfile.TarError, OSError, EOFError, ValueError, RuntimeError, NotImplementedError)
"""What the libraries raise for a damaged or hostile archive; decompression errors are added by ``damage``."""


class TooLarge(ValueError):
    """The archive holds more than any archive of reports of its size would."""


@record
class Member:
    """A report in an archive: copied to ``file``, or ``refused`` with a reason."""

    name: str
    file: str = ""
    refused: str = ""


def damage() -> tuple[type[Exception], ...]:
    """Every exception that means a damaged archive."""
    import lzma
    import sys
    import zlib

    zstandard = sys.modules.get("zstandard")
    zstd: tuple[type[Exception], ...] = (zstandard.ZstdError,) if zstandard is not None else ()
    return (*DAMAGE, lzma.LZMAError, zlib.error, *zstd)


def members_of(archive: Path, folder: Path) -> Iterator[Member]:
    """Each report of the archive, copied to a numbered file in ``folder``, in the archive's order.

    Raises one of ``damage()`` where the archive itself cannot be read on.
    """
    size = archive.stat().st_size
    budget = _Budget(max(LEAST_LIMIT_BYTES, MOST_RATIO * size))
    crowd = _Crowd(size)
    with archive.open("rb") as file:
        magic = file.read(4)
    opened = _zip_members(archive, crowd) if magic.startswith(_ZIP_MAGIC) else _tar_members(archive, magic)
    seen: set[str] = set()
    for number, (given, refused, stream) in enumerate(opened):
        crowd.check(number + 1)
        name = given.removeprefix("./")
        reason = refused or _name_problem(name) or ("a second member of this name" if name in seen else "")
        seen.add(name)
        if reason or stream is None:
            yield Member(name=_shown(name), refused=reason or "no data")
            continue
        yield _copied(name, stream, folder / f"{number}.report", budget)


_Opened = Iterator[tuple[str, str, IO[bytes] | None]]


def _zip_members(archive: Path, crowd: _Crowd) -> _Opened:
    with zipfile.ZipFile(archive) as packed:
        wanted = [info for info in packed.infolist() if not info.is_dir() and _is_wanted(info.filename)]
        crowd.check(len(wanted))
        for info in wanted:
            reason = "encrypted" if info.flag_bits & _ENCRYPTED else _zip_link(info)
            if reason:
                yield info.filename, reason, None
                continue
            try:
                stream = packed.open(info)
            except damage() as error:
                yield info.filename, f"damaged: {error}", None
                continue
            with stream:
                yield info.filename, "", stream


def _zip_link(info: zipfile.ZipInfo) -> str:
    import stat

    mode = info.external_attr >> 16
    return "a link or a device, not a file" if mode and stat.S_IFMT(mode) not in (0, stat.S_IFREG) else ""


def _tar_members(archive: Path, magic: bytes) -> _Opened:
    with archive.open("rb") as raw, _tar(raw, magic) as packed:
        for info in packed:
            if info.isdir() or not _is_wanted(info.name):
                continue
            if not info.isreg() or info.sparse is not None:
                yield info.name, "a link, a device or a sparse file, not a plain file", None
                continue
            stream = packed.extractfile(info)
            yield info.name, "", stream


def _tar(raw: IO[bytes], magic: bytes) -> tarfile.TarFile:
    if magic != _ZSTD_MAGIC:
        return tarfile.open(fileobj=raw, mode="r|*")
    try:
        import zstandard
    except ImportError as error:
        raise MissingDependency(
            "the archive is packed with zstd, which needs the zstandard library",
            hint="Install it with: pip install 'ncuanalyze[zstd]'",
        ) from error
    reader = zstandard.ZstdDecompressor(max_window_size=_WINDOW_BYTES).stream_reader(raw)
    return tarfile.open(fileobj=reader, mode="r|")


def _is_wanted(name: str) -> bool:
    hidden = name.startswith("__MACOSX/") or name.rsplit("/", 1)[-1].startswith("._")
    return not hidden and (is_report(name) or is_archive(name))


def _name_problem(name: str) -> str:
    parts = name.split("/")
    if len(name) > MOST_NAME or not name.isprintable():
        return "its name is too long or holds control characters"
    if name.startswith("/") or "\\" in name or ".." in parts or ":" in parts[0]:
        return "its name leads out of the archive"
    return "an archive inside an archive" if is_archive(name) else ""


def _shown(name: str) -> str:
    return "".join(char if char.isprintable() else "?" for char in name[:MOST_NAME])


class _Crowd:
    """How many reports the archive may hold."""

    def __init__(self, archive_bytes: int) -> None:
        self._size = archive_bytes
        self._most = max(LEAST_LIMIT_MEMBERS, archive_bytes // BYTES_PER_MEMBER)

    def check(self, members: int) -> None:
        if members > self._most:
            raise TooLarge(f"it holds more than {self._most:,} reports in {self._size:,} bytes")


class _Budget:
    """How many more bytes the archive may unpack to."""

    def __init__(self, size: int) -> None:
        self.size = self.left = size

    def spend(self, size: int) -> None:
        self.left -= size
        if self.left < 0:
            raise TooLarge(f"it unpacks to more than {self.size:,} bytes")


def _copied(name: str, stream: IO[bytes], target: Path, budget: _Budget) -> Member:
    try:
        with target.open("wb") as out:
            while chunk := stream.read(_CHUNK):
                budget.spend(len(chunk))
                out.write(chunk)
    except TooLarge:
        target.unlink(missing_ok=True)
        raise
    except damage() as error:
        target.unlink(missing_ok=True)
        return Member(name=name, refused=f"damaged: {error}")
    if not target.stat().st_size:
        target.unlink()
        return Member(name=name, refused="an empty file")
    return Member(name=name, file=str(target))
