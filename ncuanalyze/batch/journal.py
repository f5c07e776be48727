"""The journal of a run: what it knew so far, for the run that goes on after a kill."""

from __future__ import annotations

from pathlib import Path
from typing import IO

from ncuanalyze.batch.json_lines import to_line
from ncuanalyze.batch.known import WholeArchive
from ncuanalyze.batch.ledger import Entry


class Journal:
    """Lines in the order things end; the file is there from the first one on."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._out: IO[str] | None = None

    def add(self, record: Entry | WholeArchive) -> None:
        """Write one line down."""
        if self._out is None:
            self._out = self._file.open("a", encoding="utf-8", newline="\n")
            if self._out.tell():
                self._out.write("\n")  # the last line may have been cut
        self._out.write(to_line(record))
        self._out.flush()

    def close(self, *, done: bool) -> None:
        """Stop writing; a run that is done needs no journal any more."""
        if self._out is not None:
            self._out.close()
        if done:
            self._file.unlink(missing_ok=True)
