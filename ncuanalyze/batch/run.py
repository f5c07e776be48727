"""``run_batch``: reads every report that the paths stand for and brings the dataset up to date."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from ncuanalyze.batch.dataset import ARCHIVES, LEDGER, Dataset
from ncuanalyze.batch.discovery import discover
from ncuanalyze.batch.engine import Engine, ReaderSettings
from ncuanalyze.batch.expansion import Expansion
from ncuanalyze.batch.found import Found
from ncuanalyze.batch.journal import Journal
from ncuanalyze.batch.json_lines import read_records
from ncuanalyze.batch.known import Known, WholeArchive
from ncuanalyze.batch.ledger import Entry, read_ledger
from ncuanalyze.batch.outcome import OF_THE_MOMENT
from ncuanalyze.batch.output_folder import JOURNAL, locked
from ncuanalyze.batch.own_folder import OwnFolder, sweep
from ncuanalyze.batch.reading import Reading
from ncuanalyze.batch.restored import restore
from ncuanalyze.batch.store import OutcomeStore
from ncuanalyze.errors import InvalidInput
from ncuanalyze.record import record

_CACHE = "cache"


class Watch:
    """Is told how far a run is. This one does nothing."""

    def expect(self, reports: int, *, archives: int) -> None:
        """So many reports are known of, ``archives`` of them archives of any number of reports."""

    def ended(self, entry: Entry) -> None:
        """One report is done."""


@record
class BatchResult:
    """What a run did: ``read`` reports were diagnosed, ``reused`` had not changed; ``errors`` are in both counts."""

    reports: int
    kernels: int
    errors: int
    read: int
    reused: int
    parts_written: int


def run_batch(
    paths: Sequence[str],
    output: Path,
    *,
    engine: Engine,
    settings: ReaderSettings,
    keep: bool = False,
    watch: Watch | None = None,
) -> BatchResult:
    """Bring the dataset in ``output`` up to date with the reports, and say what that took.

    Afterwards the dataset holds what a first run on the same paths would make of them, byte for byte; ``keep`` keeps
    reports of earlier runs that the paths do not name. A run that is stopped goes on where it stopped.
    Raises InvalidInput for paths without reports and for a folder that holds something else.
    """
    with locked(output):
        sweep()
        run = _Run(output, settings, watch or Watch())
        run.read(discover(paths, output=output, timeout_s=settings.limits.timeout_s), engine, settings)
        return run.finished(keep=keep)


class _Run:
    """The state of one run: what was known before, and what is known now."""

    def __init__(self, output: Path, settings: ReaderSettings, watch: Watch) -> None:
        self._output = output
        fingerprint = settings.fingerprint()
        self._store = OutcomeStore(output / _CACHE, fingerprint)
        self._dataset = Dataset(output, fingerprint, self._store)
        self._watch = watch
        self._known = Known(
            (entry for name in (LEDGER, JOURNAL) for entry in read_ledger(output / name)),
            (whole for name in (ARCHIVES, JOURNAL) for whole in read_records(output / name, WholeArchive)),
            self._store.is_settled,
        )
        self._journal = Journal(output / JOURNAL)
        self._entries: dict[str, Entry] = {}
        self._archives: dict[str, WholeArchive] = {}
        self._reused = 0

    def read(self, founds: Sequence[Found], engine: Engine, settings: ReaderSettings) -> None:
        """Read whatever is not known yet."""
        self._watch.expect(len(founds), archives=sum(found.is_archive for found in founds))
        with OwnFolder("batch") as folder:
            todo = Expansion(
                founds,
                self._known,
                reuse=self._reuse,
                archived=self._archived,
                folder=folder,
                timeout_s=settings.limits.timeout_s,
                as_data=engine.is_remote,
            )
            with closing(engine.readings(todo, self._store.is_settled)) as readings:
                for reading in readings:
                    self._add(reading)

    def _reuse(self, entry: Entry) -> None:
        self._reused += 1
        self._keep(entry)

    def _archived(self, whole: WholeArchive) -> None:
        self._archives[whole.archive] = whole
        self._journal.add(whole)

    def _add(self, reading: Reading) -> None:
        outcome = reading.outcome
        if outcome is None:
            self._reused += 1
            outcome = self._store.get(reading.sha256)
            if outcome is None:
                raise InvalidInput(
                    f"the outcome of {reading.found.report} went away while it was used",
                    hint="Leave the dataset's cache alone while a batch runs, and give the command again.",
                )
        elif reading.sha256:
            self._store.put(reading.sha256, outcome)
        self._keep(Entry.of(reading, outcome))

    def _keep(self, entry: Entry) -> None:
        self._entries[entry.report] = entry
        self._journal.add(entry)
        self._watch.ended(entry)

    def finished(self, *, keep: bool) -> BatchResult:
        """Write the dataset."""
        read = len(self._entries) - self._reused
        if keep:
            self._keep_the_others()
        entries = [self._settled(self._entries[name]) for name in sorted(self._entries)]
        written = self._dataset.write(entries, [self._archives[name] for name in sorted(self._archives)])
        self._journal.close(done=True)
        self._store.forget(frozenset(entry.sha256 for entry in written.entries))
        return BatchResult(
            reports=len(written.entries),
            kernels=sum(entry.kernels for entry in written.entries if entry.is_diagnosed),
            errors=written.errors,
            read=read,
            reused=self._reused,
            parts_written=written.parts,
        )

    def _settled(self, entry: Entry) -> Entry:
        """The line with the verdict on the same bytes under another name, where its own was one of the moment."""
        if entry.ending not in OF_THE_MOMENT or not self._store.is_settled(entry.sha256):
            return entry
        outcome = self._store.get(entry.sha256)
        return entry if outcome is None else entry.with_outcome(outcome)

    def _keep_the_others(self) -> None:
        """Keep reports that this run did not meet, as they were judged then."""
        others = {name: entry for name, entry in self._known.entries.items() if name not in self._entries}
        for entry in others.values():
            self._store.adopt(entry.sha256)
        restore(self._output, others.values(), self._store)
        self._entries |= others
        self._archives = self._known.archives | self._archives
