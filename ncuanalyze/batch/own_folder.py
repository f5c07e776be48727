"""Temporary folders that tell whether their owner is alive: those of a batch that was killed go with the next one.

The owner holds a lock on a file in its folder, which the system lets go of however the owner ends. A process number
would be taken for dead from inside a container, and for alive where another process has it by now.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path
from types import TracebackType

_PREFIX, _LOCK = "ncuanalyze-", ".owned"


class OwnFolder:
    """A folder of this process, named by its ``kind``; gone after ``remove`` or the end of the context."""

    def __init__(self, kind: str) -> None:
        self.path = Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{kind}-"))
        self._lock = _held(self.path / _LOCK, os.O_CREAT)
        if self._lock is None or not self.path.is_dir():  # no file system for locks, or swept before it was held
            self.remove()
            self.path = Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{kind}-"))  # without a lock, nobody sweeps it

    def __enter__(self) -> Path:
        return self.path

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.remove()

    def remove(self) -> None:
        """Remove it with all that it holds."""
        shutil.rmtree(self.path, ignore_errors=True)
        if self._lock is not None:
            os.close(self._lock)
        self._lock = None


def sweep() -> None:
    """Remove folders of this user's processes that have ended without doing so; what cannot be removed stays."""
    with suppress(OSError), os.scandir(tempfile.gettempdir()) as entries:
        for entry in entries:
            if entry.name.startswith(_PREFIX):
                _sweep_one(entry)


def _sweep_one(entry: os.DirEntry[str]) -> None:
    with suppress(OSError):
        if not entry.is_dir(follow_symlinks=False) or entry.stat(follow_symlinks=False).st_uid != os.geteuid():
            return
        lock = _held(Path(entry.path) / _LOCK)
        if lock is not None:
            shutil.rmtree(entry.path, ignore_errors=True)
            os.close(lock)


def _held(file: Path, how: int = 0) -> int | None:
    """The descriptor of the file, locked until it is closed; None where it is not there, or somebody else holds it."""
    import fcntl

    try:
        lock = os.open(file, os.O_RDWR | os.O_NOFOLLOW | how, 0o600)
    except OSError:
        return None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(lock)
        return None
    return lock
