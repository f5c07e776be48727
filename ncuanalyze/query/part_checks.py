"""Holds parts of a dataset against the manifest's marks and the schema before anything is asked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from ncuanalyze.batch.columns import SCHEMA, arrow_schema
from ncuanalyze.batch.local_engine import usable_cores
from ncuanalyze.batch.manifest import FileMark
from ncuanalyze.batch.staging import digest_of
from ncuanalyze.errors import UnreadableReport
from ncuanalyze.record import record

AGAIN = "Run ncuanalyze batch again with the same paths."
_MOST_THREADS = 8
"""Hashing leaves the interpreter's lock; more threads than this wait for the disk."""


@record
class Part:
    """A part and the manifest's mark of it."""

    file: Path
    mark: FileMark


def check_marks(parts: Sequence[Part]) -> None:
    """Raise UnreadableReport for the first part that is not, byte for byte, as it was marked: sizes, then hashes."""
    for part in parts:
        _check_size(part)
    pool = ThreadPoolExecutor(min(_MOST_THREADS, usable_cores()))
    try:
        for _ in pool.map(_check_hash, parts):
            pass
    finally:
        pool.shutdown(cancel_futures=True)


def _check_size(part: Part) -> None:
    try:
        size = part.file.stat().st_size
    except OSError as error:
        raise _damaged(part.file, str(error.strerror)) from error
    if size != part.mark.bytes:
        raise _damaged(part.file, f"it has {size:,} bytes, {part.mark.bytes:,} in the manifest")


def _check_hash(part: Part) -> None:
    try:
        sha256, _ = digest_of(part.file)
    except OSError as error:
        raise _damaged(part.file, str(error.strerror)) from error
    if sha256 != part.mark.sha256:
        raise _damaged(part.file, "its SHA-256 is not the one in the manifest")


def check_schemas(files: Iterable[Path]) -> None:
    """Raise UnreadableReport for the first part of another version, or that lacks a column."""
    wanted = list(arrow_schema())
    for file in files:
        _check_schema(file, wanted)


def _check_schema(file: Path, wanted: Sequence[Any]) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    try:
        found = parquet.read_schema(file)
    except (pa.ArrowException, OSError) as error:
        raise _damaged(file, str(error)) from error
    version = (found.metadata or {}).get(b"schema", b"").decode(errors="replace")
    if version != SCHEMA:
        said = f"the schema {version}" if version else "another schema"
        raise UnreadableReport(f"{file} has {said}, not {SCHEMA}", hint=AGAIN)
    for field in wanted:
        place = found.get_field_index(field.name)
        if place < 0 or found.field(place).type != field.type:
            raise UnreadableReport(f"{file} lacks the column {field.name} as {field.type}", hint=AGAIN)


def first_damaged(files: Sequence[Path]) -> UnreadableReport | None:
    """The error for the first part that cannot be read to its end, as it was changed since; None where all can."""
    import pyarrow as pa
    from pyarrow import parquet

    for file in files:
        try:
            with parquet.ParquetFile(file) as part:
                for group in range(part.num_row_groups):
                    part.read_row_group(group)
        except (pa.ArrowException, OSError) as error:
            return _damaged(file, str(error))
    return None


def _damaged(file: Path, reason: str) -> UnreadableReport:
    """The error for a part that is not as the batch wrote it."""
    first = reason.strip().splitlines()[0] if reason.strip() else "no reason given"
    return UnreadableReport(f"{file} is damaged: {first}", hint=AGAIN)
