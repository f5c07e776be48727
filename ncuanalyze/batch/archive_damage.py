"""What the libraries raise for a damaged archive."""

from __future__ import annotations

import tarfile
import zipfile

_DAMAGE = (zipfile.BadZipFile, tarfile.TarError, OSError, EOFError, ValueError, RuntimeError, NotImplementedError)


def damage() -> tuple[type[Exception], ...]:
    """Every exception that the libraries raise for a damaged or hostile archive."""
    import lzma
    import sys
    import zlib

    zstandard = sys.modules.get("zstandard")
    zstd: tuple[type[Exception], ...] = (zstandard.ZstdError,) if zstandard is not None else ()
    return (*_DAMAGE, lzma.LZMAError, zlib.error, *zstd)
