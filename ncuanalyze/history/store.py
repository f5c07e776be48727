"""The history file: an SQLite database of diagnoses keyed by commit, with one row for each kernel of a run."""

from __future__ import annotations

import json
import os
import sqlite3
import zlib
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from urllib.parse import quote

from ncuanalyze.compare.launches import groups_of, launches_of, median_of
from ncuanalyze.diagnosis import Diagnosis, from_dict, to_dict
from ncuanalyze.errors import InvalidInput, UnreadableReport
from ncuanalyze.history.run import Run

APPLICATION = 0x6E637561  # "ncua": marks the file as ours (PRAGMA application_id)
VERSION = 1
MOST_BYTES = 1 << 28
"""A stored diagnosis that unpacks to more than this is no diagnosis."""
_TABLES = """
CREATE TABLE runs ( id INTEGER PRIMARY KEY, commit_id TEXT NOT NULL, branch TEXT NOT NULL, at TEXT NOT NULL,
file TEXT NOT NULL, gpu TEXT NOT NULL, digest TEXT NOT NULL, document BLOB NOT NULL, UNIQUE (commit_id,
branch, digest)); CREATE INDEX runs_by_branch ON runs (branch, at); CREATE TABLE kernels ( run INTEGER NOT
NULL REFERENCES runs (id) ON DELETE CASCADE, name TEXT NOT NULL, nvtx TEXT NOT NULL, grid TEXT NOT NULL,
block TEXT NOT NULL, launches INTEGER NOT NULL, duration_ns REAL, total_ns REAL, cycles REAL, bound TEXT NOT
NULL, limiter TEXT NOT NULL); CREATE INDEX kernels_by_name ON kernels (name, run);
"""


@dataclass(frozen=True, kw_only=True)
class KernelRow:
    """One kernel of one run, all its launches of one shape: the median duration, and where it stood."""

    commit: str
    branch: str
    at: str
    file: str
    gpu: str
    name: str
    nvtx: str
    grid: str
    block: str
    launches: int
    duration_ns: float | None
    total_ns: float | None
    cycles: float | None
    bound: str
    limiter: str


@dataclass(frozen=True, kw_only=True)
class RunRow:
    """One run without its diagnosis."""

    commit: str
    branch: str
    at: str
    file: str
    gpu: str
    kernels: int
    total_ns: float | None


def add_run(path: Path, run: Run) -> bool:
    """Add a run; the file is made where there is none. False where the same run of that commit is there already."""
    document = json.dumps(to_dict(run.diagnosis), ensure_ascii=False, allow_nan=False).encode()
    digest = sha256(document).hexdigest()
    with _writing(path) as database:
        row = (run.commit, run.branch, run.at, run.diagnosis.source.file, run.diagnosis.device.name or "")
        added = database.execute(
            "INSERT OR IGNORE INTO runs (commit_id, branch, at, file, gpu, digest, document) VALUES (?,?,?,?,?,?,?)",
            (*row, digest, zlib.compress(document)),
        )
        if added.rowcount == 0:
            return False
        database.executemany(
            "INSERT INTO kernels VALUES (?,?,?,?,?,?,?,?,?,?,?)",
            [(added.lastrowid, *values) for values in _kernel_values(run.diagnosis)],
        )
    return True


def recent_runs(path: Path, *, branch: str | None = None, last: int = 10) -> list[Run]:
    """The last runs of a branch (of any where None), oldest first."""
    query = f"SELECT commit_id, branch, at, document FROM runs{_where(branch)} ORDER BY at DESC, id DESC LIMIT ?"
    with _reading(path) as database:
        found = database.execute(query, (*_given(branch), last)).fetchall()
    return [
        Run(commit=commit, branch=name, at=at, diagnosis=_unpacked(document))
        for commit, name, at, document in reversed(found)
    ]


def run_rows(path: Path, *, branch: str | None = None, last: int = 200) -> list[RunRow]:
    """The last runs, oldest first, with the number and the time of their kernels."""
    query = (
        "SELECT commit_id, branch, at, file, gpu, (SELECT COUNT(*) FROM kernels WHERE run = runs.id), "
        "(SELECT SUM(total_ns) FROM kernels WHERE run = runs.id) "
        f"FROM runs{_where(branch)} ORDER BY at DESC, id DESC LIMIT ?"
    )
    with _reading(path) as database:
        found = database.execute(query, (*_given(branch), last)).fetchall()
    names = ("commit", "branch", "at", "file", "gpu", "kernels", "total_ns")
    return [RunRow(**dict(zip(names, row, strict=True))) for row in reversed(found)]


def kernel_rows(path: Path, *, branch: str | None = None, last: int = 200) -> list[KernelRow]:
    """Every kernel of the last runs, oldest run first, in the order of the report."""
    query = (
        "SELECT r.commit_id, r.branch, r.at, r.file, r.gpu, k.name, k.nvtx, k.grid, k.block, k.launches, "
        "k.duration_ns, k.total_ns, k.cycles, k.bound, k.limiter FROM kernels k JOIN "
        f"(SELECT * FROM runs{_where(branch)} ORDER BY at DESC, id DESC LIMIT ?) r ON k.run = r.id "
        "ORDER BY r.at, r.id, k.rowid"
    )
    with _reading(path) as database:
        found = database.execute(query, (*_given(branch), last)).fetchall()
    names = tuple(KernelRow.__dataclass_fields__)
    return [KernelRow(**dict(zip(names, row, strict=True))) for row in found]


def timestamp(text: str | None = None) -> str:
    """An ISO 8601 time in UTC, to the second; now where none is given."""
    if not text:
        return datetime.now(UTC).isoformat(timespec="seconds")
    try:
        found = datetime.fromisoformat(text)
    except ValueError as error:
        raise InvalidInput(f"'{text}' is no time", hint="write it as 2026-01-31T12:00:00+00:00") from error
    aware = found if found.tzinfo else found.replace(tzinfo=UTC)
    return aware.astimezone(UTC).isoformat(timespec="seconds")


def _kernel_values(diagnosis: Diagnosis) -> Iterator[tuple[object, ...]]:
    for group in groups_of(launches_of([diagnosis])):
        kernel, kernels = group.first.kernel, [launch.diagnosis for launch in group.launches]
        yield (
            kernel.demangled or kernel.name,
            " / ".join(kernel.nvtx),
            _shape(kernel.grid),
            _shape(kernel.block),
            len(kernels),
            median_of(group.durations),
            group.total_ns,
            median_of([item.cycles for item in kernels]),
            group.typical.bound.value,
            group.typical.limiter or "",
        )


def _shape(size: Sequence[int] | None) -> str:
    return "x".join(map(str, size)) if size else ""


def _where(branch: str | None) -> str:
    return "" if branch is None else " WHERE branch = ?"


def _given(branch: str | None) -> tuple[str, ...]:
    return () if branch is None else (branch,)


def _unpacked(document: object) -> Diagnosis:
    try:
        unpacker = zlib.decompressobj()
        text = unpacker.decompress(document if isinstance(document, bytes) else b"", MOST_BYTES)
        if unpacker.unconsumed_tail:
            raise UnreadableReport("a diagnosis of the history is too large", hint="add the run again")
        return from_dict(json.loads(text))
    except (zlib.error, ValueError, RecursionError) as error:
        raise UnreadableReport("a diagnosis of the history is damaged", hint="add the run again") from error


@contextmanager
def _writing(path: Path) -> Iterator[sqlite3.Connection]:
    try:
        with closing(sqlite3.connect(path, timeout=30)) as database, database:
            if database.execute("SELECT COUNT(*) FROM sqlite_master").fetchone() == (0,):
                database.executescript(_TABLES)
                database.execute(f"PRAGMA application_id = {APPLICATION}")
                database.execute(f"PRAGMA user_version = {VERSION}")
            _ours(database, path)
            yield database
    except sqlite3.Error as error:
        hint = "check path, rights, disk and ulimit -f"
        raise UnreadableReport(f"cannot write the history {path}: {error}", hint=hint) from error


@contextmanager
def _reading(path: Path) -> Iterator[sqlite3.Connection]:
    if not path.is_file():
        raise UnreadableReport(f"there is no history {path}", hint="ncuanalyze history add makes one")
    try:
        uri = f"file:{quote(os.fsencode(path.resolve()))}?mode=ro"
        with closing(sqlite3.connect(uri, uri=True)) as database:
            _ours(database, path)
            yield database
    except sqlite3.Error as error:
        raise UnreadableReport(f"cannot read the history {path}: {error}", hint="is it complete?") from error


def _ours(database: sqlite3.Connection, path: Path) -> None:
    marks = [database.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version")]
    if marks[0] != APPLICATION:
        raise UnreadableReport(f"{path} is a database, but no history of ncuanalyze", hint="give another file")
    if marks[1] != VERSION:
        raise UnreadableReport(
            f"the history {path} has version {marks[1]}", hint=f"this version of ncuanalyze reads {VERSION}"
        )
