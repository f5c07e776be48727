"""Turns what was found into what is to be read: archives are unpacked, what has not changed is passed over."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from tempfile import mkdtemp

from ncuanalyze.batch.archive import Member
from ncuanalyze.batch.endings import is_archive
from ncuanalyze.batch.engine import IsDone
from ncuanalyze.batch.found import IN_ARCHIVE, Found
from ncuanalyze.batch.ledger import Entry
from ncuanalyze.batch.staging import digest_of, local_file
from ncuanalyze.batch.unpacking import unpacked_members
from ncuanalyze.errors import UnreadableReport

Reuse = Callable[[Entry], None]


class Expansion:
    """Iterates over the reports to be read; ``reuse`` is called with each line of the last run that still holds.

    ``folder`` holds unpacked members until they are read. ``as_data``: members go along as bytes instead.
    """

    def __init__(
        self,
        founds: Iterable[Found],
        previous: Mapping[str, Entry],
        *,
        is_done: IsDone,
        reuse: Reuse,
        folder: Path,
        timeout_s: float,
        as_data: bool,
    ) -> None:
        self._founds = founds
        self._previous = previous
        self._is_done = is_done
        self._reuse = reuse
        self._folder = folder
        self._timeout_s = timeout_s
        self._as_data = as_data
        self._members: dict[str, list[Entry]] = defaultdict(list)
        for entry in previous.values():
            if entry.archive:
                self._members[entry.archive].append(entry)

    def __iter__(self) -> Iterator[Found]:
        for found in self._founds:
            if found.refused:
                yield found
            elif is_archive(found.report):
                yield from self._archive(found)
            elif not self._same_version(found):
                yield self._with_known(found)

    def _same_version(self, found: Found) -> bool:
        entry = self._previous.get(found.report)
        if entry is None or not found.version or found.version != entry.version or not self._holds(entry):
            return False
        self._reuse(entry)
        return True

    def _with_known(self, found: Found) -> Found:
        entry = self._previous.get(found.report)
        return replace(found, known=entry.sha256) if entry is not None and self._is_done(entry.sha256) else found

    def _holds(self, entry: Entry) -> bool:
        """Whether the line needs no other attempt. A member that was refused unread stays so with its archive."""
        return self._is_done(entry.sha256) if entry.sha256 else entry.report != entry.archive

    def _archive(self, found: Found) -> Iterator[Found]:
        last = self._members[found.report]
        holds = bool(last) and all(self._holds(entry) for entry in last)
        if holds and found.version and all(entry.version == found.version for entry in last):
            self._reuse_all(last)
            return
        try:
            with local_file(found, timeout_s=self._timeout_s) as file:
                sha256, _ = digest_of(file)
                if holds and all(entry.archive_sha256 == sha256 for entry in last):
                    self._reuse_all([replace(entry, version=found.version) for entry in last])
                    return
                yield from self._unpacked(replace(found, archive=found.report, archive_sha256=sha256), file)
        except (UnreadableReport, OSError) as error:
            hint = error.hint if isinstance(error, UnreadableReport) else "Check the path and the permissions."
            yield Found(report=found.report, archive=found.report, refused=str(error), hint=hint)

    def _reuse_all(self, entries: Iterable[Entry]) -> None:
        for entry in entries:
            self._reuse(entry)

    def _unpacked(self, archive: Found, file: Path) -> Iterator[Found]:
        folder = Path(mkdtemp(dir=self._folder))
        for member in unpacked_members(file, folder, timeout_s=self._timeout_s):
            yield self._with_known(self._member(archive, member))

    def _member(self, archive: Found, member: Member) -> Found:
        found = Found(
            report=f"{archive.report}{IN_ARCHIVE}{member.name}",
            version=archive.version,
            archive=archive.report,
            archive_sha256=archive.archive_sha256,
        )
        if member.refused:
            return replace(found, refused=member.refused, hint="Unpack the archive by hand if it is genuine.")
        if not self._as_data:
            return replace(found, path=member.file, temporary=True)
        file = Path(member.file)
        data = file.read_bytes()
        file.unlink()
        return replace(found, data=data)
