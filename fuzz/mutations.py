"""Ways a report is damaged: flipped, cut, spliced, blanked, its sizes changed. All of it by a seed."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence

Mutation = Callable[[random.Random, bytes, Sequence[bytes]], bytes]
HEAD_BYTES = 8192
"""Where the sizes and the session stand: hit more often than their share of the file."""


def flip(source: random.Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """One to 64 bits turned over."""
    damaged = bytearray(data)
    for _ in range(2 ** source.randrange(7)):
        damaged[_place(source, len(data))] ^= 1 << source.randrange(8)
    return bytes(damaged)


def cut(source: random.Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """The end is missing."""
    return data[: source.randrange(len(data))]


def splice(source: random.Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """A piece of this or another report stands where it does not belong, over what was there or between it."""
    donor = source.choice(others)
    start = _place(source, len(donor))
    piece = donor[start : start + _length(source)]
    at = _place(source, len(data))
    return data[:at] + piece + data[at + source.choice((0, len(piece))) :]


def drop(source: random.Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """A piece is missing inside."""
    at = _place(source, len(data))
    return data[:at] + data[at + _length(source) :]


def blank(source: random.Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """A piece is all zeros, ones or noise, as after a failed transfer."""
    at, length = _place(source, len(data)), _length(source)
    piece = source.choice((bytes(length), b"\xff" * length, source.randbytes(length)))
    return data[:at] + piece[: len(data) - at] + data[at + length :]


def resize(source: random.Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """A number of four bytes is another one: what claims an absurd size looks like this."""
    at = _place(source, len(data) - 4)
    number = source.choice((0, 1, 0x7F, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, source.getrandbits(32)))
    return data[:at] + number.to_bytes(4, "little") + data[at + 4 :]


def repeat(source: random.Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """A piece comes twice."""
    at = _place(source, len(data))
    end = at + _length(source)
    return data[:end] + data[at:]


MUTATIONS: Mapping[str, Mutation] = {
    function.__name__: function for function in (flip, cut, splice, drop, blank, resize, repeat)
}


def damaged(seed: int, reports: Sequence[bytes]) -> tuple[str, int, bytes]:
    """Input number ``seed``: the mutation's name, which report was damaged, and the bytes. Always the same."""
    source = random.Random(seed)
    which = source.randrange(len(reports))
    name = source.choice(tuple(MUTATIONS))
    return name, which, MUTATIONS[name](source, reports[which], reports)


def _place(source: random.Random, size: int) -> int:
    return source.randrange(min(size, HEAD_BYTES) if source.random() < 0.25 else size)


def _length(source: random.Random) -> int:
    return 2 ** source.randrange(17)
