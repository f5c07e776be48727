"""Which exceptions mean that an archive is damaged, rather than that this machine fails."""

from __future__ import annotations

import errno
import tarfile
import zipfile

_DAMAGE = (zipfile.BadZipFile, tarfile.TarError, OSError, EOFError, ValueError, RuntimeError, NotImplementedError)
_OF_THE_ARCHIVE = (None, errno.EINVAL)
"""``errno`` of the OSErrors that libraries raise for bad data: none, or that of a seek to a place before the start."""


def damage() -> tuple[type[Exception], ...]:
    """Every exception that the libraries raise for a damaged or hostile archive."""
    import lzma
    import sys
    import zlib

    zstandard = sys.modules.get("zstandard")
    zstd: tuple[type[Exception], ...] = (zstandard.ZstdError,) if zstandard is not None else ()
    return (*_DAMAGE, lzma.LZMAError, zlib.error, *zstd)


def is_of_this_machine(error: BaseException) -> bool:
    """Whether the system refused something: a full disk, a quota, too many open files. Another attempt may do."""
    return isinstance(error, OSError) and error.errno not in _OF_THE_ARCHIVE
