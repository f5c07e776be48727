"""What reads reports: this machine's processes or a cluster, behind one interface."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from pathlib import Path
from typing import Protocol

from ncuanalyze.batch.fingerprint import fingerprint
from ncuanalyze.batch.found import Found
from ncuanalyze.batch.isolated import IsolatedReader
from ncuanalyze.batch.limits import Limits
from ncuanalyze.batch.reading import Reading
from ncuanalyze.errors import MissingDependency
from ncuanalyze.record import record

IsDone = Callable[[str], bool]


@record
class ReaderSettings:
    """How every report is read, on whichever machine."""

    limits: Limits
    rules_folder: Path | None = None
    thresholds: Path | None = None

    def fingerprint(self) -> str:
        """What tells the judgement of this installation and these rules from any other."""
        return fingerprint(self.rules_folder, self.thresholds)

    def reader(self) -> IsolatedReader:
        """A reader with these settings."""
        return IsolatedReader(self.limits, rules_folder=self.rules_folder, thresholds=self.thresholds)


class Engine(Protocol):
    """Reads reports in any order, a bounded number at a time.

    ``is_remote``: the readers do not see this machine's temporary files, so members of archives travel as bytes.
    """

    is_remote: bool

    def readings(self, todo: Iterable[Found], is_done: IsDone) -> Generator[Reading]:
        """One reading for each report; ``todo`` is drawn from as readers become free."""


def require_pyarrow() -> None:
    """Raise MissingDependency before anything is read for a dataset that could not be written."""
    try:
        import pyarrow.parquet  # noqa: F401
    except ImportError as error:
        raise MissingDependency(
            "the dataset is Parquet, which needs the pyarrow library",
            hint="Install it with: pip install 'ncuanalyze[batch]'",
        ) from error
