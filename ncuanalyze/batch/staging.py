"""Brings a report to a local file for as long as it is read, and tells its content by its hash."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ncuanalyze.batch.found import Found
from ncuanalyze.batch.limits import DEFAULT_TIMEOUT_S
from ncuanalyze.batch.own_folder import OwnFolder
from ncuanalyze.batch.remote import fetch

_STAGED_NAME = "staged.report"


@contextmanager
def local_file(found: Found, *, timeout_s: float = DEFAULT_TIMEOUT_S) -> Iterator[Path]:
    """The report as a local file; ``timeout_s`` is for fetching it. Raises UnreadableReport."""
    if found.path:
        try:
            yield Path(found.path)
        finally:
            if found.temporary:
                Path(found.path).unlink(missing_ok=True)
        return
    with OwnFolder("staged") as folder:
        file = folder / _STAGED_NAME
        if found.data is not None:
            file.write_bytes(found.data)
        else:
            fetch(found.url, file, timeout_s=timeout_s)
        yield file


def digest_of(file: Path) -> tuple[str, int]:
    """The SHA-256 of a file's bytes in hex, and how many there are."""
    with file.open("rb") as data:
        digest = hashlib.file_digest(data, "sha256").hexdigest()
        return digest, data.tell()
