"""A program with all that it starts: its output within a time, and its end."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from collections.abc import Sequence

GRACE_S = 10
_DYING_S = 1


def output_of(command: Sequence[str], timeout_s: float) -> str:
    """What it prints; empty where it cannot start or takes longer. Nothing of it runs any more then."""
    try:
        process = subprocess.Popen(
            command,
            start_new_session=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            errors="replace",
        )
    except OSError:
        return ""
    with process:
        try:
            return process.communicate(timeout=timeout_s)[0]
        except subprocess.TimeoutExpired:
            return ""
        finally:
            kill(process)


def end(process: subprocess.Popen[bytes]) -> None:
    """Interrupt the program, which may clean up, and kill what is left: shells shield their jobs from interrupts."""
    with contextlib.suppress(ProcessLookupError, subprocess.TimeoutExpired):
        os.killpg(process.pid, signal.SIGINT)
        process.wait(GRACE_S)
    kill(process)


def kill(process: subprocess.Popen[bytes] | subprocess.Popen[str]) -> None:
    """Kill every process of the group; its leader may be gone already."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(_DYING_S)
