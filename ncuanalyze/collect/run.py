"""Run ``ncu`` and turn what it says into a report or an error with a remedy."""

from __future__ import annotations

import contextlib
import math
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from ncuanalyze.collect.process_group import end
from ncuanalyze.errors import NcuAnalyzeError, ProfilingFailed
from ncuanalyze.load.ncu_log import failure_in

POLL_S = 0.5
_HANG_HINT = (
    "A kernel that waits for the host or for another process (NCCL, NVSHMEM, spin locks) hangs when its "
    "launch is replayed alone: leave it out with -k, or use --replay application."
)


def collect_report(
    command: Sequence[str], report: Path, *, timeout_s: float | None = None, tell: Callable[[str], None]
) -> Path:
    """Run the command; the path of the report. ``tell`` gets each line that ncu itself printed, as it comes.

    The program keeps the terminal: ncu's own lines go through a log file. Raises ``ProfilingFailed``.
    """
    before = _written(report)
    with tempfile.TemporaryDirectory() as folder:
        log = _Log(Path(folder) / "ncu.log", tell)
        code = _run([command[0], "--log-file", str(log.path), *command[1:]], log, timeout_s)
    if code is None:
        raise ProfilingFailed(f"ncu did not finish within {timeout_s:g} s", hint=_HANG_HINT)
    written = _written(report)
    if written is None or written == before:
        raise _failure(log.text, code)
    if code != 0:
        raise ProfilingFailed(
            f"the run ended with exit status {code} after it was measured",
            hint=f"Mend the program first; what was measured so far: ncuanalyze {written[0]}",
        )
    return written[0]


class _Log:
    """The log file as it grows; each whole line is told once."""

    def __init__(self, path: Path, tell: Callable[[str], None]) -> None:
        self.path = path
        self.text = ""
        self._tell = tell

    def follow(self, *, to_the_end: bool = False) -> None:
        """Read what is there, and tell the lines that are new."""
        if not self.path.exists():
            return
        text = self.path.read_text(encoding="utf-8", errors="replace")
        if not to_the_end:
            text = text[: text.rfind("\n") + 1]
        for line in text[len(self.text) :].splitlines():
            self._tell(line)
        self.text = text


def _run(command: list[str], log: _Log, timeout_s: float | None) -> int | None:
    """The exit code, or None after the time limit; the whole process group is ended then."""
    try:
        process = subprocess.Popen(command, start_new_session=True)
    except OSError as error:
        raise ProfilingFailed(
            f"cannot start {command[0]}: {error}", hint="Name ncu with --ncu PATH."
        ) from error
    until = time.monotonic() + timeout_s if timeout_s is not None else math.inf
    try:
        while time.monotonic() < until:
            with contextlib.suppress(subprocess.TimeoutExpired):
                return process.wait(min(POLL_S, max(0.0, until - time.monotonic())))
            log.follow()
        end(process)
        return None
    except BaseException:
        end(process)
        raise
    finally:
        log.follow(to_the_end=True)


def _written(report: Path) -> tuple[Path, int] | None:
    """The report and its time of writing; ncu adds its own ending where the name has none."""
    names = (report, report.with_name(f"{report.name}.ncu-rep"))
    return next(((name, name.stat().st_mtime_ns) for name in names if name.is_file()), None)


def _failure(text: str, code: int) -> NcuAnalyzeError:
    known = failure_in(text, "ncu")
    if isinstance(known, ProfilingFailed):
        return known
    return ProfilingFailed(
        f"ncu wrote no report (exit status {code})",
        hint="Run the printed command by hand and read its output.",
    )
