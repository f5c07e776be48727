"""What the libraries raise for a damaged archive."""

from __future__ import annotations

import tarfile

from ncuanalyze.load import streams


def damage() -> tuple[type[Exception], ...]:
    """Every exception that the libraries raise for a damaged or hostile archive."""
    return (*streams.damage(), tarfile.TarError)
