"""Writes the dataset in parts: Parquet rows and JSON lines, each part from the same reports whoever read them.

A report belongs to a part by the hash of its name, so a report that changes rewrites one part, and the bytes of a
part depend on its reports alone: not on the number of processes, the engine, or what was there before.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ncuanalyze.batch.columns import SCHEMA, arrow_schema, rows_of
from ncuanalyze.batch.engine import require_pyarrow
from ncuanalyze.batch.found import file_name
from ncuanalyze.batch.ledger import Entry
from ncuanalyze.batch.store import OutcomeStore
from ncuanalyze.batch.texts import characters_of

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

REPORTS_PER_PART = 1024
"""About 50,000 kernels or 10 MB of Parquet a part, where a report has fifty kernels."""
ROWS_PER_GROUP, CHARACTERS_PER_GROUP = 16_384, 16 << 20
"""Whichever is reached first ends a row group; rows of real reports have some 500 characters."""
_GZIP_LEVEL = 6
_PART_NAME = re.compile(r"part-(\d{5})\.(?:parquet|jsonl\.gz)(\.new)?")


def part_count(reports: int) -> int:
    """How many parts so many reports make: a power of two, so that parts are made anew only when reports double."""
    count = 1
    while count * REPORTS_PER_PART < reports:
        count *= 2
    return count


def by_part(entries: Iterable[Entry], count: int) -> list[list[Entry]]:
    """The entries of each part, in the order given."""
    parts: list[list[Entry]] = [[] for _ in range(count)]
    for entry in entries:
        place = int(hashlib.sha256(entry.report.encode("utf-8", "surrogateescape")).hexdigest()[:8], 16)
        parts[place % count].append(entry)
    return parts


def part_digest(entries: Sequence[Entry], fingerprint: str) -> str:
    """A hash of everything that the bytes of a part depend on."""
    digest = hashlib.sha256(f"{SCHEMA} {fingerprint}\n".encode())
    for entry in entries:
        digest.update(entry.to_line().encode())
    return digest.hexdigest()


def part_files(part: int) -> tuple[str, str]:
    """Where a part's Parquet and its JSON lines, packed with gzip, lie in the dataset."""
    return f"kernels/part-{part:05}.parquet", f"diagnoses/part-{part:05}.jsonl.gz"


def write_part(output: Path, part: int, entries: Sequence[Entry], store: OutcomeStore) -> set[str]:
    """Write both files of a part in one step each, and name the diagnosed reports whose diagnosis is lost.

    Raises MissingDependency without pyarrow.
    """
    kernels, diagnoses = (output / name for name in part_files(part))
    for file in (kernels, diagnoses):
        file.parent.mkdir(parents=True, exist_ok=True)
    new_kernels, new_diagnoses = (file.with_name(f"{file.name}.new") for file in (kernels, diagnoses))
    lost: set[str] = set()
    with _Rows(new_kernels) as rows, _lines(new_diagnoses) as lines:
        for entry in entries:
            if not entry.is_diagnosed:
                continue
            document = _document(entry, store)
            if document is None:
                lost.add(entry.report)
                continue
            lines.write(json.dumps(document, separators=(",", ":")).encode())
            lines.write(b"\n")
            rows.add(rows_of(entry, document))
    new_kernels.replace(kernels)
    new_diagnoses.replace(diagnoses)
    return lost


def remove_parts_from(output: Path, count: int) -> None:
    """Remove parts of a larger dataset that stood here before, and what a killed run left half-written."""
    for folder in ("kernels", "diagnoses"):
        for file in (output / folder).glob("part-*"):
            found = _PART_NAME.fullmatch(file.name)
            if found and (int(found[1]) >= count or found[2]):
                file.unlink()


def _document(entry: Entry, store: OutcomeStore) -> dict[str, Any] | None:
    """The diagnosis under the report's own name, and beside it which report it is of; None where it is lost."""
    outcome = store.get(entry.sha256)
    try:
        document = outcome.document() if outcome is not None else None
    except ValueError:
        store.drop(entry.sha256)
        return None
    if document is None:
        return None
    document["source"]["file"] = file_name(entry.report)
    document["batch"] = {"report": entry.report, "sha256": entry.sha256, "created": entry.created}
    return document


@contextmanager
def _lines(file: Path) -> Iterator[gzip.GzipFile]:
    """Gzip without a name and a time, so that the same lines are the same bytes."""
    with (
        file.open("wb") as out,
        gzip.GzipFile(filename="", mode="wb", compresslevel=_GZIP_LEVEL, fileobj=out, mtime=0) as lines,
    ):
        yield lines


class _Rows:
    """Rows to Parquet, a row group at a time."""

    def __init__(self, file: Path) -> None:
        require_pyarrow()
        import pyarrow.parquet as pq

        self._schema: pa.Schema = arrow_schema()
        self._waiting: list[dict[str, Any]] = []
        self._characters = 0
        self._writer: pq.ParquetWriter = pq.ParquetWriter(file, self._schema, compression="zstd")

    def __enter__(self) -> _Rows:
        return self

    def __exit__(self, *_: object) -> None:
        self._flush()
        self._writer.close()

    def add(self, rows: Iterator[dict[str, Any]]) -> None:
        """Add rows; a full group goes to the file."""
        for row in rows:
            self._waiting.append(row)
            self._characters += characters_of(row.values())
            if len(self._waiting) == ROWS_PER_GROUP or self._characters >= CHARACTERS_PER_GROUP:
                self._flush()

    def _flush(self) -> None:
        import pyarrow as pa

        if self._waiting:
            self._writer.write_table(pa.Table.from_pylist(self._waiting, schema=self._schema))
            self._waiting, self._characters = [], 0
