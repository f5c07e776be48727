"""Walks the blocks of a ``.ncu-rep`` file: what the session says, and where damage begins.

The file is the magic ``NVR\\0``, a little-endian 32-bit size with a header of that size, then blocks: a
32-bit size, a block header of that size, and a payload whose size the header gives (field 5). The payload is a
row of messages, each behind its 32-bit size: field 1 counts modules of code, fields 2, 7 and 9 results of kernels,
ranges and graphs. Field 3 holds the session: when it began (field 2, Unix time; the ``Created`` of ncu's session
page), the command line (field 11) and named values (field 8). The headers are protocol buffers. Nothing holds a
checksum: a changed value cannot be told from a measured one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from itertools import islice
from pathlib import Path
from typing import IO

from ncuanalyze.load.bounded import bounded
from ncuanalyze.record import record

MAGIC = b"NVR\x00"
_MODULES, _RESULTS, _SESSION, _PAYLOAD_SIZE = 1, (2, 7, 9), 3, 5
_COUNTS = frozenset({_MODULES, *_RESULTS})
_OTHER_FIELDS = frozenset({3, 4, 5, 6})  # session, names, payload size, process
_CREATED, _NAMED_VALUE, _COMMAND = 2, 8, 11
_MAX_HEADER_BYTES = 16 << 20  # the largest of 77 reports: 135,029
_MAX_FIELDS = 1000  # of one header or session: 6 in all of them
_MAX_BLOCKS = 250_000  # a block of a real report holds a result, or something all of them share
_MAX_MESSAGES = 1_000_000
Field = int | bytes


@record
class Layout:
    """``whole_bytes``: where the last whole block ends. ``results``: results in whole blocks.

    ``lost``: results that headers count behind the damage. ``header_damaged``: the damage begins in a header, so
    nobody can count what is lost.
    """

    size: int
    whole_bytes: int
    results: int
    lost: int = 0
    header_damaged: bool = False
    command: str = ""
    attributes: Mapping[str, str] = field(default_factory=dict)
    created_unix_s: int = 0

    @property
    def damaged(self) -> bool:
        """Whether bytes are left after the last whole block."""
        return self.whole_bytes < self.size


@record
class _Block:
    header: Mapping[int, Field]
    end: int
    is_whole: bool

    @property
    def results(self) -> int:
        return sum(_number(self.header.get(count)) for count in _RESULTS)


def layout_of(path: Path) -> Layout:
    """Walk the file; a file that is cut or damaged gives what stands before the damage."""
    size = path.stat().st_size
    whole_bytes, results, lost, command, created = 0, 0, 0, "", 0
    header_damaged, intact = False, True
    attributes: dict[str, str] = {}
    with path.open("rb") as file:
        try:
            for block in _blocks(file, size):
                intact = intact and block.is_whole
                whole_bytes = block.end if intact else whole_bytes
                results += block.results * intact
                lost += block.results * (not intact)
                command = _read_session(block.header.get(_SESSION), attributes) or command
                created = created or _read_created(block.header.get(_SESSION))
        except ValueError:
            header_damaged = intact
    return Layout(
        size=size,
        whole_bytes=whole_bytes,
        results=results,
        lost=lost,
        header_damaged=header_damaged,
        command=command,
        attributes=attributes,
        created_unix_s=created,
    )


def _blocks(file: IO[bytes], size: int) -> Iterator[_Block]:
    """The blocks as far as they can be walked, the file's own header first. ValueError where a header is damaged."""
    messages = blocks = 0
    file.seek(len(MAGIC))
    end = file.seek(_size(file), 1)
    yield _Block(header={}, end=end, is_whole=end <= size)
    while end < size:
        data = _header(file)
        header = _last_fields(data)
        blocks += 1
        messages += _messages(header)
        if blocks > _MAX_BLOCKS or messages > _MAX_MESSAGES:
            raise ValueError("implausible number of blocks")
        end = file.tell() + _number(header.get(_PAYLOAD_SIZE))
        yield _Block(
            header=header, end=end, is_whole=bool(data) and end <= size and _holds_its_messages(file, header, end)
        )
        if not data:  # zeros are what a failed transfer leaves
            return
        file.seek(end)


def _holds_its_messages(file: IO[bytes], header: Mapping[int, Field], end: int) -> bool:
    """Whether the messages that a header counts fill the bytes up to ``end`` exactly.

    A header with other counts, which a newer ncu may write, has only the known ones checked.
    """
    for _ in range(_messages(header)):
        size = _size(file) if file.tell() < end else 0
        if not size or file.seek(size, 1) > end:
            return False
    return file.tell() == end or bool(header.keys() - _COUNTS - _OTHER_FIELDS)


def _messages(header: Mapping[int, Field]) -> int:
    return sum(_number(header.get(count)) for count in _COUNTS)


def _size(file: IO[bytes]) -> int:
    data = file.read(4)
    if len(data) < 4:
        raise ValueError("cut inside a size")
    return int.from_bytes(data, "little")


def _header(file: IO[bytes]) -> bytes:
    size = _size(file)
    if size > _MAX_HEADER_BYTES:
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
    fields = _last_fields(session)
    pair = fields.get(_NAMED_VALUE)
    if isinstance(pair, bytes):
        named = _last_fields(pair)
        if len(attributes) < _MAX_FIELDS:
            attributes[_text(named.get(1))] = _text(named.get(2))
    return _text(fields.get(_COMMAND)).strip()


def _read_created(session: Field | None) -> int:
    return _number(_last_fields(session).get(_CREATED)) if isinstance(session, bytes) else 0


def _text(value: Field | None) -> str:
    return bounded(value.decode("utf-8", "replace")) if isinstance(value, bytes) else ""


def _last_fields(data: bytes) -> Mapping[int, Field]:
    """The fields of a protocol buffer by number; of several with one number, the last."""
    fields = list(islice(_fields(data), _MAX_FIELDS + 1))
    if len(fields) > _MAX_FIELDS:
        raise ValueError("implausible number of fields")
    return dict(fields)


def _fields(data: bytes) -> Iterator[tuple[int, Field]]:
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
