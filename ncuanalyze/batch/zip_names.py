"""The name of a zip's member, where the archive does not say how it is spelled.

The format knows UTF-8 by a flag, else code page 437. ``zip`` on Linux and macOS writes UTF-8 without the flag, or the
other spelling in an extra field (Info-ZIP Unicode Path, 0x7075: a version, the CRC of the plain name, UTF-8).
"""

from __future__ import annotations

import struct
import zipfile
import zlib

_UTF8_FLAG = 0x800
_PLAIN = "cp437"  # has a character for every byte
_UNICODE_PATH, _VERSION = 0x7075, 1
_FIELD, _PATH = struct.Struct("<HH"), struct.Struct("<BI")


def name_of(info: zipfile.ZipInfo) -> str:
    """The name as it was meant: by the flag, by the extra field, as UTF-8 where it is that, else in code page 437."""
    if info.flag_bits & _UTF8_FLAG:
        return info.filename
    try:
        plain = info.orig_filename.encode(_PLAIN)
        name = (_unicode_path(info.extra, plain) or plain).decode()
    except UnicodeError:
        return info.filename
    return name.split("\0", 1)[0]


def _unicode_path(extra: bytes, plain: bytes) -> bytes:
    """The name in the extra field, where there is one for this very name; else empty."""
    while len(extra) >= _FIELD.size:
        kind, size = _FIELD.unpack_from(extra)
        field, extra = extra[_FIELD.size : _FIELD.size + size], extra[_FIELD.size + size :]
        if kind == _UNICODE_PATH and len(field) > _PATH.size:
            return field[_PATH.size :] if _PATH.unpack_from(field) == (_VERSION, zlib.crc32(plain)) else b""
    return b""
