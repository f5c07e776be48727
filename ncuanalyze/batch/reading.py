"""One unit of work: fetch a report, tell it by its hash, and diagnose it unless that is done already."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ncuanalyze.batch.found import Found
from ncuanalyze.batch.isolated import IsolatedReader, unreachable
from ncuanalyze.batch.outcome import THE_REPORT, Outcome
from ncuanalyze.batch.remote import NotFetched
from ncuanalyze.batch.staging import digest_of, local_file
from ncuanalyze.errors import UnreadableReport
from ncuanalyze.record import record


@record
class Reading:
    """What became of one report. ``outcome`` is None where its bytes were diagnosed before."""

    found: Found
    sha256: str = ""
    bytes: int = 0
    outcome: Outcome | None = None


def read_report(found: Found, reader: IsolatedReader, is_done: Callable[[str], bool]) -> Reading:
    """Read one report; every failure is an outcome. ``is_done`` says of a hash whether its outcome is there."""
    if found.refused:
        return refused(found)
    try:
        with local_file(found, timeout_s=reader.limits.timeout_s) as file:
            before = _state(file)
            sha256, size = digest_of(file)
            outcome = None if is_done(sha256) else reader.diagnose(file)
            if _state(file) == before:
                return Reading(found=found, sha256=sha256, bytes=size, outcome=outcome)
        reason = unreachable("it changed while it was read")
    except NotFetched as error:
        reason = unreachable(error.reason)
    except UnreadableReport as error:
        reason = unreachable(str(error))
    except OSError as error:
        reason = unreachable(error.strerror or str(error))
    return Reading(found=found, outcome=reason)


def _state(file: Path) -> tuple[int, ...]:
    """What tells one content of a path from another."""
    now = file.stat()
    return now.st_dev, now.st_ino, now.st_size, now.st_mtime_ns


def refused(found: Found) -> Reading:
    """The reading of what is not to be read, with the reason for it."""
    error, message = found.ending.value.capitalize(), f"{THE_REPORT} is not read: {found.refused}"
    return Reading(found=found, outcome=Outcome(ending=found.ending, error=error, message=message, hint=found.hint))
