"""An engine without processes: quick, for all that does not depend on them."""

from collections.abc import Generator, Iterable
from pathlib import Path

from ncuanalyze.batch.engine import Engine, IsDone, ReaderSettings
from ncuanalyze.batch.found import Found
from ncuanalyze.batch.limits import Limits
from ncuanalyze.batch.one_report import diagnose_report
from ncuanalyze.batch.outcome import Outcome
from ncuanalyze.batch.reading import Reading, read_report
from ncuanalyze.batch.run import BatchResult, run_batch
from ncuanalyze.ruleset import load_rules

SETTINGS = ReaderSettings(limits=Limits(timeout_s=60))
ODD = Path(__file__).parents[2] / "fixtures" / "odd"


class InProcess:
    """Reads in this process."""

    limits = SETTINGS.limits

    def __init__(self, *, is_remote: bool = False) -> None:
        self.is_remote = is_remote

    def readings(self, todo: Iterable[Found], is_done: IsDone) -> Generator[Reading]:
        """One reading after the other."""
        for found in todo:
            yield read_report(found, self, is_done)  # type: ignore[arg-type]

    def diagnose(self, path: Path) -> Outcome:
        """What an isolated reader does, unprotected."""
        return diagnose_report(path, load_rules(), 0)


def run(paths: Iterable[Path | str], output: Path, *, engine: Engine | None = None, keep: bool = False) -> BatchResult:
    """A batch over the paths."""
    names = [str(path) for path in paths]
    return run_batch(names, output, engine=engine or InProcess(), settings=SETTINGS, keep=keep)


def content(output: Path) -> dict[str, bytes]:
    """Every file of a dataset but the store, which may hold more than is asked for."""
    files = (file for file in output.rglob("*") if file.is_file() and "cache" not in file.parts)
    return {str(file.relative_to(output)): file.read_bytes() for file in files}
