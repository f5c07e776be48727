"""Walks the blocks of a ``.ncu-rep`` file: what the session says, and where damage begins.

The file is the magic ``NVR\\0``, a little-endian 32-bit size with a header of that size, then blocks: a
32-bit size, a block header of that size, and a payload whose size the header gives (field 5). The payload is a
row of messages, each behind its 32-bit size; fields 2, 7 and 9 count those that are results of kernels, ranges and
graphs. Field 3 holds the session: when it began (field 2, Unix time; the ``Created`` of ncu's session page), the
command line (field 11) and named values (field 8). The headers are protocol buffers. Nothing holds a checksum: a
changed value cannot be told from a measured one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from pathlib import Path
from typing import IO

from ncuanalyze.record import record

MAGIC = b"NVR\x00"
_RESULTS, _SESSION, _PAYLOAD_SIZE = (2, 7, 9), 3, 5
_CREATED, _NAMED_VALUE, _COMMAND = 2, 8, 11
_MAX_HEADER = 64 << 20
Field = int | bytes


@record
class Layout:
    """``whole_bytes``: where the last whole block ends. ``results``: results in whole blocks."""

    size: int
    whole_bytes: int
    results: int
    command: str = ""
    attributes: Mapping[str, str] = field(default_factory=dict)
    created_unix_s: int = 0

    @property
    def damaged(self) -> bool:
        """Whether bytes are left after the last whole block."""
        return self.whole_bytes < self.size


def layout_of(path: Path) -> Layout:
    """Walk the file; a file that is cut or damaged gives what stands before the damage."""
    size = path.stat().st_size
    results, whole, command, created = 0, 0, "", 0
    attributes: dict[str, str] = {}
    with path.open("rb") as file:
        file.seek(len(MAGIC))
        try:
            file.seek(_size(file), 1)
            whole = file.tell() if file.tell() <= size else 0
            while whole and whole < size:
                header = dict(_last_fields(_header(file)))
                end = file.tell() + _number(header.get(_PAYLOAD_SIZE))
                if end > size or not _is_row_of_messages(file, end):
                    break
                whole = end
                results += sum(_number(header.get(field)) for field in _RESULTS)
                command = _read_session(header.get(_SESSION), attributes) or command
                created = created or _read_created(header.get(_SESSION))
        except ValueError:
            pass
    return Layout(
        size=size,
        whole_bytes=whole,
        results=results,
        command=command,
        attributes=attributes,
        created_unix_s=created,
    )


def _is_row_of_messages(file: IO[bytes], end: int) -> bool:
    """Whether sizes and messages fill the bytes up to ``end`` exactly; leaves the file there if so."""
    while file.tell() < end:
        file.seek(_size(file), 1)
    return file.tell() == end


def _size(file: IO[bytes]) -> int:
    data = file.read(4)
    if len(data) < 4:
        raise ValueError("cut inside a size")
    return int.from_bytes(data, "little")


def _header(file: IO[bytes]) -> bytes:
    size = _size(file)
    if not 0 < size <= _MAX_HEADER:  # zeros are what a failed transfer leaves
        raise ValueError("implausible block header")
    data = file.read(size)
    if len(data) < size:
        raise ValueError("cut inside a block header")
    return data


def _number(value: Field | None) -> int:
    return value if isinstance(value, int) else 0


def _read_session(session: Field | None, attributes: dict[str, str]) -> str:
    if not isinstance(session, bytes):
        return ""
    fields = dict(_last_fields(session))
    pair = fields.get(_NAMED_VALUE)
    if isinstance(pair, bytes):
        named = dict(_last_fields(pair))
        attributes[_text(named.get(1))] = _text(named.get(2))
    return _text(fields.get(_COMMAND)).strip()


def _read_created(session: Field | None) -> int:
    return _number(dict(_last_fields(session)).get(_CREATED)) if isinstance(session, bytes) else 0


def _text(value: Field | None) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else ""


def _last_fields(data: bytes) -> Iterator[tuple[int, Field]]:
    at = 0
    while at < len(data):
        key, at = _varint(data, at)
        wire = key & 7
        value: Field
        if wire == 0:
            value, at = _varint(data, at)
        elif wire in (1, 2, 5):
            length, at = _varint(data, at) if wire == 2 else ({1: 8, 5: 4}[wire], at)
            if at + length > len(data):
                raise ValueError("cut inside a field")
            value, at = data[at : at + length], at + length
        else:
            raise ValueError("not a protocol buffer")
        yield key >> 3, value


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = 0
    for shift in range(0, 70, 7):
        if at >= len(data):
            raise ValueError("cut inside a number")
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
    raise ValueError("number too long")
