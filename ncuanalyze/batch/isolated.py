"""Diagnoses reports that are not trusted: a crash, a hang or a memory bomb costs the one file that causes it."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

from ncuanalyze.batch.frames import receive, send
from ncuanalyze.batch.limits import Limits
from ncuanalyze.batch.outcome import THE_REPORT, Ending, Outcome
from ncuanalyze.batch.own_folder import OwnFolder
from ncuanalyze.errors import InvalidInput, MissingDependency

GRACE_S = 30.0
"""How long the process that enforces the time limit may itself be late before it is replaced."""
_FAREWELL_S = 5.0


class IsolatedReader:
    """Diagnoses files one after the other, each in a process of its own. Not shared between threads.

    A context manager. ``rules_folder`` and ``thresholds`` are the user's own, as for ``load_rules``.
    Needs ``fork``: Linux or macOS.
    """

    def __init__(
        self,
        limits: Limits | None = None,
        *,
        rules_folder: Path | None = None,
        thresholds: Path | None = None,
    ) -> None:
        self.limits = limits or Limits()
        self._arguments = [str(rules_folder or ""), str(thresholds or "")]
        self._nursery: subprocess.Popen[bytes] | None = None
        self._folder: OwnFolder | None = None  # of the nursery's temporary files: it may be killed
        self._closed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def diagnose(self, path: Path) -> Outcome:
        """The outcome of one file; raises only RuleSetError-like errors of the user's own rules, at the first file."""
        try:
            size = path.stat().st_size
        except OSError as error:
            return unreachable(error.strerror or str(error))
        request = {
            "path": str(path.absolute()),
            "timeout_s": self.limits.timeout_s,
            "memory_bytes": self.limits.memory_for(size),
        }
        for _ in range(2):  # a nursery that dies (killed from outside) is replaced once
            if not self._closed and (reply := self._asked(request)) is not None:
                return reply
        return Outcome(
            ending=Ending.MEMORY,
            error="ReaderLost",
            message=f"the process that reads {THE_REPORT} was killed twice",
            hint="The machine may be out of memory: use fewer --jobs.",
        )

    def close(self) -> None:
        """End the process, from any thread; nothing is read any more."""
        self._closed = True
        self._drop()

    def _drop(self) -> None:
        nursery, self._nursery = self._nursery, None
        folder, self._folder = self._folder, None
        if nursery is not None:
            _end(nursery)
        if folder is not None:
            folder.remove()

    def _asked(self, request: dict[str, Any]) -> Outcome | None:
        """The reply; None where the nursery died or is far too late, and is gone."""
        nursery = self._nursery or self._started()
        guard = threading.Timer(self.limits.timeout_s + GRACE_S, nursery.kill)
        guard.start()
        try:
            send(_pipe(nursery.stdin), request)
            message = receive(_pipe(nursery.stdout))
            reply = None if message is None else Outcome.from_message(*message)
        except OSError:
            reply = None
        finally:
            guard.cancel()
        if reply is None:
            self._drop()
        return reply

    def _started(self) -> subprocess.Popen[bytes]:
        require_fork()
        folder = self._folder = self._folder or OwnFolder("reader")
        self._nursery = nursery = subprocess.Popen(
            [sys.executable, "-P", "-m", "ncuanalyze.batch.nursery", *self._arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
            env={**os.environ, "TMPDIR": str(folder.path)},
        )
        greeting = receive(_pipe(nursery.stdout))
        if greeting is None or not greeting[0].get("ready"):
            self._drop()
            said = greeting[0] if greeting else {}
            raise InvalidInput(
                said.get("message", "the process that reads reports does not start"), hint=said.get("hint", "")
            )
        return nursery


def _end(nursery: subprocess.Popen[bytes]) -> None:
    with suppress(OSError):
        _pipe(nursery.stdin).close()  # tells it to kill the child it may have, and to end
    try:
        nursery.wait(_FAREWELL_S)
    except subprocess.TimeoutExpired:
        nursery.kill()
        nursery.wait()
    with suppress(OSError):
        _pipe(nursery.stdout).close()


def require_fork() -> None:
    """Raise MissingDependency on a system that cannot isolate readers."""
    if not hasattr(os, "fork"):
        raise MissingDependency(
            "reading reports in isolation needs fork, which this system lacks",
            hint="Run it on Linux or macOS, or under WSL.",
        )


def unreachable(reason: str) -> Outcome:
    """The outcome of a file that cannot be opened or fetched."""
    return Outcome(
        ending=Ending.UNREACHABLE,
        error="Unreachable",
        message=f"cannot read {THE_REPORT}: {reason}",
        hint="Check the path and the permissions.",
    )


def _pipe(stream: IO[bytes] | None) -> IO[bytes]:
    if stream is None:
        raise OSError("no pipe")
    return stream
