"""Writes the files of a dataset: the parts that changed, the lists and the page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from ncuanalyze.batch.json_lines import to_line, write_whole
from ncuanalyze.batch.known import WholeArchive
from ncuanalyze.batch.ledger import Entry, write_errors, write_ledger
from ncuanalyze.batch.manifest import FileMark, Manifest, read_manifest, write_manifest
from ncuanalyze.batch.outcome import THE_REPORT, Ending, Outcome
from ncuanalyze.batch.output_folder import MANIFEST
from ncuanalyze.batch.parts import by_part, part_count, part_digest, part_files, remove_parts_from, write_part
from ncuanalyze.batch.store import OutcomeStore
from ncuanalyze.batch.totals import index_of
from ncuanalyze.record import record
from ncuanalyze.render.batch_index import render

LEDGER, ARCHIVES, ERRORS, INDEX = "reports.jsonl", "archives.jsonl", "errors.jsonl", "index.html"
_LOST = Outcome(
    ending=Ending.UNREACHABLE,
    error="LostOutcome",
    message=f"what was read of {THE_REPORT} is not in the dataset any more",
    hint="Give the command again with this report among the paths.",
)


@record
class Written:
    """What stands in the folder now."""

    entries: tuple[Entry, ...]
    errors: int
    parts: int


class Dataset:
    """The files in ``output``, made from the outcomes in ``store``."""

    def __init__(self, output: Path, fingerprint: str, store: OutcomeStore) -> None:
        self._output = output
        self._fingerprint = fingerprint
        self._store = store

    def write(self, entries: Sequence[Entry], archives: Iterable[WholeArchive]) -> Written:
        """Bring the files up to date with the entries, which are in order of their names.

        An entry whose outcome is lost becomes one that could not be read. Raises MissingDependency without pyarrow.
        """
        entries, parts = self._write_parts(entries)
        write_ledger(self._output / LEDGER, entries)
        write_whole(self._output / ARCHIVES, (to_line(whole) for whole in archives))
        errors = write_errors(self._output / ERRORS, entries)
        kernels = [self._output / part_files(part)[0] for part in range(part_count(len(entries)))]
        write_whole(self._output / INDEX, [render(index_of(kernels, entries))])
        return Written(entries=tuple(entries), errors=errors, parts=parts)

    def _write_parts(self, entries: Sequence[Entry]) -> tuple[list[Entry], int]:
        """Write the parts that changed or are not as they were written; gives the entries as they are then."""
        count, written = part_count(len(entries)), 0
        before = read_manifest(self._output / MANIFEST)
        digests: list[str] = []
        files: dict[str, FileMark] = {}
        lost: set[str] = set()
        for part, members in enumerate(by_part(entries, count)):
            digest, names = part_digest(members, self._fingerprint), part_files(part)
            if self._stands(part, digest, before):
                files |= {name: before.files[name] for name in names}
            else:
                gone = write_part(self._output, part, members, self._store)
                digest = part_digest([_ended(entry, gone) for entry in members], self._fingerprint)
                files |= {name: FileMark.of(self._output / name) for name in names}
                lost |= gone
                written += 1
            digests.append(digest)
        remove_parts_from(self._output, count)
        write_manifest(self._output / MANIFEST, digests, files, self._fingerprint)
        return [_ended(entry, lost) for entry in entries], written

    def _stands(self, part: int, digest: str, before: Manifest) -> bool:
        return before.parts[part : part + 1] == (digest,) and before.has(self._output, part_files(part))


def _ended(entry: Entry, lost: set[str]) -> Entry:
    return entry.with_outcome(_LOST) if entry.report in lost else entry
