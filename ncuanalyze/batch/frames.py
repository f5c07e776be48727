"""Messages over a pipe: a JSON header and a payload, each with its length before it."""

from __future__ import annotations

import json
import struct
from typing import IO, Any

_LENGTHS = struct.Struct(">IQ")
_MOST_HEADER = 1 << 24
MOST_PAYLOAD_BYTES = 1 << 30
"""A message larger than this is none of ours."""


def pack(header: dict[str, Any], payload: bytes = b"") -> bytes:
    """One message as bytes."""
    text = json.dumps(header).encode()
    return _LENGTHS.pack(len(text), len(payload)) + text + payload


def send(stream: IO[bytes], header: dict[str, Any], payload: bytes = b"") -> None:
    """Write one message."""
    stream.write(pack(header, payload))
    stream.flush()


def receive(stream: IO[bytes]) -> tuple[dict[str, Any], bytes] | None:
    """The next message; None where the other side has gone, or wrote something else."""
    lengths = stream.read(_LENGTHS.size)
    if len(lengths) < _LENGTHS.size:
        return None
    header_bytes, payload_bytes = _LENGTHS.unpack(lengths)
    if header_bytes > _MOST_HEADER or payload_bytes > MOST_PAYLOAD_BYTES:
        return None
    text, payload = stream.read(header_bytes), stream.read(payload_bytes)
    if len(text) < header_bytes or len(payload) < payload_bytes:
        return None
    try:
        header = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return (header, payload) if isinstance(header, dict) else None
