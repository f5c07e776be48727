"""What earlier runs left: the line of each report, and which archives they read to their ends."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace

from ncuanalyze.batch.engine import IsDone
from ncuanalyze.batch.found import Found
from ncuanalyze.batch.ledger import Entry
from ncuanalyze.batch.outcome import Ending
from ncuanalyze.record import record


@record
class WholeArchive:
    """An archive that was read to its end, which gave so many ``reports``.

    Its members' lines alone do not say so: a run that was killed has only the first of them.
    """

    archive: str
    sha256: str
    version: str
    reports: int


class Known:
    """Says of what was found what is known of it already. ``is_done``: whether a hash needs no other attempt."""

    def __init__(self, entries: Iterable[Entry], archives: Iterable[WholeArchive], is_done: IsDone) -> None:
        self.entries = {entry.report: entry for entry in entries}
        self.archives = {whole.archive: whole for whole in archives}
        self._is_done = is_done
        self._members: dict[str, list[Entry]] = defaultdict(list)
        for entry in self.entries.values():
            if entry.archive:
                self._members[entry.archive].append(entry)

    def unchanged(self, found: Found) -> Entry | None:
        """The line of a remote report whose version is still the same."""
        entry = self.entries.get(found.report)
        if entry is None or entry.archive or not found.version or found.version != entry.version:
            return None
        return entry if self._holds(entry) else None

    def hash_of(self, found: Found) -> str:
        """The hash that the report had, where its outcome is there; else empty."""
        entry = self.entries.get(found.report)
        return entry.sha256 if entry is not None and self._is_done(entry.sha256) else ""

    def unchanged_archive(self, found: Found, sha256: str = "") -> list[Entry]:
        """The lines of an archive that has the version or the hash it had; none where it is to be read (again)."""
        whole = self.archives.get(found.report)
        same = whole is not None and (sha256 == whole.sha256 if sha256 else found.version == whole.version != "")
        if whole is None or not same:
            return []
        lines = [entry for entry in self._members[found.report] if entry.archive_sha256 == whole.sha256]
        holds = len(lines) == whole.reports and all(self._holds(entry) for entry in lines)
        return [replace(entry, version=found.version) for entry in lines] if holds else []

    def _holds(self, entry: Entry) -> bool:
        """Whether the line needs no other attempt. What was refused unread stays so as long as its version does."""
        return self._is_done(entry.sha256) if entry.sha256 else entry.ending == Ending.REFUSED.value
