"""What was read: one line a report, in order of names, with its content hash and how it ended."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Self

from ncuanalyze.batch.found import file_name
from ncuanalyze.batch.json_lines import read_records, to_line, write_whole
from ncuanalyze.batch.outcome import Ending, Outcome, is_moment
from ncuanalyze.batch.reading import Reading
from ncuanalyze.record import record


@record
class Entry:
    """One report of the dataset. ``error``, ``message`` and ``hint`` are empty for a diagnosed one."""

    report: str
    sha256: str = ""
    bytes: int = 0
    version: str = ""
    archive: str = ""
    archive_sha256: str = ""
    ending: str = Ending.DIAGNOSED.value
    kernels: int = 0
    created: str = ""
    error: str = ""
    message: str = ""
    hint: str = ""

    @classmethod
    def of(cls, reading: Reading, outcome: Outcome) -> Self:
        """The line of a reading; ``outcome`` is its own or the one kept for its bytes."""
        found = reading.found
        return cls(
            report=found.report,
            sha256=reading.sha256,
            bytes=reading.bytes,
            version=found.version,
            archive=found.archive,
            archive_sha256=found.archive_sha256,
        ).with_outcome(outcome)

    def with_outcome(self, outcome: Outcome) -> Self:
        """The same report, ended so."""
        name = file_name(self.report)
        return replace(
            self,
            ending=outcome.ending.value,
            kernels=outcome.kernels,
            created=outcome.created,
            error=outcome.error,
            message=outcome.message_for(name),
            hint=outcome.hint_for(name),
        )

    @property
    def is_diagnosed(self) -> bool:
        """Whether the dataset has kernels of this report."""
        return self.ending == Ending.DIAGNOSED.value

    def to_line(self) -> str:
        """One line of JSON."""
        return to_line(self)


_ENDINGS = frozenset(ending.value for ending in Ending)
_ERROR_FIELDS = ("report", "sha256", "bytes", "ending", "error", "message", "hint")


def read_ledger(file: Path) -> Iterator[Entry]:
    """Every whole line; one that was cut when a run was killed, or that no run writes, is passed over."""
    return (entry for entry in read_records(file, Entry) if entry.ending in _ENDINGS and is_moment(entry.created))


def write_ledger(file: Path, entries: Iterable[Entry]) -> None:
    """Write every entry; a reader sees the old file or the new one."""
    write_whole(file, (entry.to_line() for entry in entries))


def write_errors(file: Path, entries: Iterable[Entry]) -> int:
    """Write the entries that were not diagnosed, and say how many."""
    lines = [
        json.dumps({name: getattr(entry, name) for name in _ERROR_FIELDS}) + "\n"
        for entry in entries
        if not entry.is_diagnosed
    ]
    write_whole(file, lines)
    return len(lines)
