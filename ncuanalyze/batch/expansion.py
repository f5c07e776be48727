"""Turns what was found into what is to be read: archives are unpacked, what has not changed is passed over."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import mkdtemp

from ncuanalyze.batch.archive import Member
from ncuanalyze.batch.found import IN_ARCHIVE, Found
from ncuanalyze.batch.known import Known, WholeArchive
from ncuanalyze.batch.ledger import Entry
from ncuanalyze.batch.names import Names
from ncuanalyze.batch.outcome import Ending
from ncuanalyze.batch.remote import NotFetched
from ncuanalyze.batch.staging import digest_of, local_file
from ncuanalyze.batch.unpacking import NotUnpacked, unpacked_members
from ncuanalyze.errors import UnreadableReport


class Expansion:
    """Iterates over the reports to be read; ``reuse`` is called with each line of the last run that still holds.

    ``archived`` is called for each archive that was read to its end. ``folder`` holds unpacked members until they are
    read. ``as_data``: members go along as bytes instead.
    """

    def __init__(
        self,
        founds: Sequence[Found],
        known: Known,
        *,
        reuse: Callable[[Entry], None],
        archived: Callable[[WholeArchive], None],
        folder: Path,
        timeout_s: float,
        as_data: bool,
    ) -> None:
        self._founds = founds
        self._names = Names(found.report for found in founds)
        self._known = known
        self._reuse = reuse
        self._archived = archived
        self._folder = folder
        self._timeout_s = timeout_s
        self._as_data = as_data

    def __iter__(self) -> Iterator[Found]:
        for found in self._founds:
            if found.refused:
                yield found
            elif found.is_archive:
                yield from self._archive(found)
            elif entry := self._known.unchanged(found):
                self._reuse(entry)
            else:
                yield self._with_hash(found)

    def _with_hash(self, found: Found) -> Found:
        return replace(found, known=self._known.hash_of(found))

    def _archive(self, found: Found) -> Iterator[Found]:
        if self._is_reused(found, self._known.unchanged_archive(found)):
            return
        try:
            with local_file(found, timeout_s=self._timeout_s) as file:
                sha256, _ = digest_of(file)
                if self._is_reused(found, self._known.unchanged_archive(found, sha256)):
                    return
                yield from self._unpacked(replace(found, archive=found.report, archive_sha256=sha256), file)
        except UnreadableReport as error:
            yield replace(found, archive=found.report, refused=str(error), hint=error.hint, ending=_ending(error))
        except OSError as error:
            hint = "Check the disk, the path and the permissions."
            reason = error.strerror or str(error)
            yield replace(found, archive=found.report, refused=reason, hint=hint, ending=Ending.UNREACHABLE)

    def _is_reused(self, found: Found, lines: Sequence[Entry]) -> bool:
        members = [entry.report for entry in lines if entry.report != found.report]
        if not lines or not self._names.takes_again(members):
            return False
        self._archived(_whole(replace(found, archive_sha256=lines[0].archive_sha256), len(lines)))
        for entry in lines:
            self._reuse(entry)
        return True

    def _unpacked(self, archive: Found, file: Path) -> Iterator[Found]:
        folder, reports = Path(mkdtemp(dir=self._folder)), 0
        for member in unpacked_members(file, folder, timeout_s=self._timeout_s):
            reports += 1
            yield self._with_hash(self._member(archive, member))
        if not reports:
            reports += 1
            yield replace(archive, refused="it holds no report", hint="Reports end in .ncu-rep or .csv, packed or not.")
        self._archived(_whole(archive, reports))

    def _member(self, archive: Found, member: Member) -> Found:
        found = Found(
            report=self._names.own(f"{archive.report}{IN_ARCHIVE}{member.name}"),
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


def _ending(error: UnreadableReport) -> Ending:
    if isinstance(error, NotUnpacked):
        return error.ending
    return Ending.UNREACHABLE if isinstance(error, NotFetched) else Ending.REFUSED


def _whole(archive: Found, reports: int) -> WholeArchive:
    return WholeArchive(archive=archive.report, sha256=archive.archive_sha256, version=archive.version, reports=reports)
