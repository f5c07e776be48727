"""Run ``ncu`` and turn what it says into a report or an error with a remedy."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from ncuanalyze.errors import NcuAnalyzeError, ProfilingFailed
from ncuanalyze.load.ncu_log import failure_in

GRACE_S = 10
_HANG_HINT = (
    "A kernel that waits for the host or for another process (NCCL, NVSHMEM, spin locks) hangs when its "
    "launch is replayed alone: leave it out with -k, or use --replay application."
)


def collect_report(
    command: Sequence[str], report: Path, *, timeout_s: float | None = None, tell: Callable[[str], None]
) -> Path:
    """Run the command; the path of the report. ``tell`` gets each line that ncu itself printed.

    The program keeps the terminal: ncu's own lines go through a log file. Raises ``ProfilingFailed``.
    """
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "ncu.log"
        code = _run([command[0], "--log-file", str(log), *command[1:]], timeout_s)
        text = log.read_text(encoding="utf-8", errors="replace") if log.exists() else ""
    for line in text.splitlines():
        tell(line)
    if code is None:
        raise ProfilingFailed(f"ncu did not finish within {timeout_s:g} s", hint=_HANG_HINT)
    written = _written(report)
    if code == 0 and written is not None:
        return written
    raise _failure(text, code)


def _run(command: list[str], timeout_s: float | None) -> int | None:
    """The exit code, or None after the time limit; the whole process group is ended then."""
    try:
        process = subprocess.Popen(command, start_new_session=True)
    except OSError as error:
        raise ProfilingFailed(
            f"cannot start {command[0]}: {error}", hint="Name ncu with --ncu PATH."
        ) from error
    try:
        return process.wait(timeout_s)
    except subprocess.TimeoutExpired:
        _end(process)
        return None
    except BaseException:
        _end(process)
        raise


def _end(process: subprocess.Popen[bytes]) -> None:
    for sign in (signal.SIGINT, signal.SIGKILL):
        try:
            os.killpg(process.pid, sign)
            process.wait(GRACE_S)
        except ProcessLookupError:
            return
        except subprocess.TimeoutExpired:
            continue


def _written(report: Path) -> Path | None:
    """ncu adds its own ending where the name has none."""
    names = (report, report.with_name(f"{report.name}.ncu-rep"))
    return next((name for name in names if name.is_file()), None)


def _failure(text: str, code: int) -> NcuAnalyzeError:
    known = failure_in(text, "ncu")
    if isinstance(known, ProfilingFailed):
        return known
    return ProfilingFailed(
        f"ncu wrote no report (exit status {code})",
        hint="Run the printed command by hand and read its output.",
    )
