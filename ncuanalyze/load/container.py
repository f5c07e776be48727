"""Opens what a report is packed in: xz, gzip, bzip2, zstd or zip, told by the first bytes."""

from __future__ import annotations

import sys
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Protocol

from ncuanalyze.errors import UnreadableReport
from ncuanalyze.load.streams import bzip2, damage, gzip, xz, zstd

STDIN = "-"
ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
_CHUNK = 1 << 20
_LAYERS = 3
_MIN_LIMIT = 8 << 20
_MAX_RATIO = 300

Opener = Callable[[IO[bytes]], Iterator[bytes]]


class Plain:
    """A file that is not packed: the source itself, or a copy that goes away with this object.

    ``packed_bytes``: the size of the file that a copy was unpacked from; 0 where it was not packed.
    """

    def __init__(self, path: Path, folder: Path | None = None) -> None:
        self.path = path
        self.packed_bytes = 0
        if folder is not None:
            import shutil

            weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)


def unpacked(source: Path) -> Plain:
    """The file itself where it is not packed, else an unpacked copy.

    ``-`` reads standard input. A pipe, such as ``<(cat report.csv)``, can be read once, so it is copied too.
    A file that grows past 300 times its packed size is refused.
    """
    is_stream = str(source) == STDIN or source.is_fifo()
    if not is_stream and _opener(source) is None:
        return Plain(source)
    folder = temporary_folder()
    plain = Plain(folder, folder)
    plain.path = _copy(source, folder) if is_stream else source
    size = plain.path.stat().st_size
    for layer in range(_LAYERS):
        opener = _opener(plain.path)
        if opener is None:
            break
        plain.packed_bytes = size
        plain.path = _unpack(opener, plain.path, folder / f"layer{layer}", max(_MIN_LIMIT, _MAX_RATIO * size))
    return plain


def temporary_folder() -> Path:
    """A new folder for one copy."""
    import tempfile

    return Path(tempfile.mkdtemp(prefix="ncuanalyze-"))


def _copy(source: Path, folder: Path) -> Path:
    import shutil
    from contextlib import nullcontext

    if str(source) == STDIN and sys.stdin is None:
        raise UnreadableReport("standard input is closed", hint="Name the report, or pipe it in.")
    copy = folder / "copy"
    with copy.open("wb") as out, nullcontext(sys.stdin.buffer) if str(source) == STDIN else source.open("rb") as file:
        shutil.copyfileobj(file, out)
    return copy


def _opener(path: Path) -> tuple[str, Opener] | None:
    with path.open("rb") as file:
        head = file.read(6)
    for magic, name, opener in _FORMATS:
        if head.startswith(magic):
            return name, opener
    return None


def _unpack(opener: tuple[str, Opener], packed: Path, target: Path, limit: int) -> Path:
    name, chunks = opener
    written = 0
    with packed.open("rb") as file, target.open("wb") as out:
        for chunk in _guarded(name, chunks(file)):
            written += len(chunk)
            if written > limit:
                raise UnreadableReport(
                    f"the {name} file unpacks to more than {limit:,} bytes",
                    hint="A report does not compress that well. If it is genuine, unpack it first.",
                )
            out.write(chunk)
    return target


def _guarded(name: str, chunks: Iterator[bytes]) -> Iterator[bytes]:
    try:
        yield from chunks
    except damage() as error:
        raise UnreadableReport(
            f"the {name} file is damaged or truncated ({error})",
            hint=f"Copy it again in binary mode, or unpack it with {name} to see what is wrong.",
        ) from error


class _Readable(Protocol):
    def read(self, size: int = ..., /) -> bytes: ...


def _blocks(file: _Readable) -> Iterator[bytes]:
    while chunk := file.read(_CHUNK):
        yield chunk


def _zip(packed: IO[bytes]) -> Iterator[bytes]:
    import zipfile

    with zipfile.ZipFile(packed) as archive:
        members = [entry for entry in archive.infolist() if _is_content(entry.filename)]
        if len(members) != 1:
            names = ", ".join(entry.filename for entry in members[:5])
            raise UnreadableReport(
                f"the zip file holds {len(members)} files{': ' + names if names else ''}",
                hint="Unpack it and give the report itself.",
            )
        if min(entry.header_offset for entry in archive.infolist()):
            raise zipfile.BadZipFile("something stands in front of the archive that its end describes")
        with archive.open(members[0]) as file:
            yield from _blocks(file)


def _is_content(name: str) -> bool:
    return not name.endswith(("/", ".DS_Store")) and not name.startswith("__MACOSX/")


_FORMATS: tuple[tuple[bytes, str, Opener], ...] = (
    (b"\xfd7zXZ\x00", "xz", xz),
    (b"\x1f\x8b", "gzip", gzip),
    (b"BZh", "bzip2", bzip2),
    (ZSTD_MAGIC, "zstd", zstd),
    (b"PK\x03\x04", "zip", _zip),
    (b"PK\x05\x06", "zip", _zip),
)
