"""The folder of a dataset: made or taken over, and held by one run at a time."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from ncuanalyze.batch.isolated import require_fork
from ncuanalyze.batch.ledger import read_ledger
from ncuanalyze.batch.manifest import BATCH_SCHEMA, schema_of
from ncuanalyze.errors import InvalidInput
from ncuanalyze.system_errors import hint_of

MANIFEST, JOURNAL = "manifest.json", "journal.jsonl"
_LOCK = ".lock"
_MARK = f"{BATCH_SCHEMA}\n"
_MOST_SHOWN = 200


@contextmanager
def locked(output: Path) -> Iterator[None]:
    """The output folder, made or taken over, for this run alone. A run that fails before it knows a thing unmakes it.

    Raises InvalidInput for a folder that cannot be written, that another run holds, or that is no dataset.
    """
    require_fork()
    made: list[Path] = []
    try:
        made = _made(output)
        if any(output.iterdir()) and not _is_ours(output):
            raise InvalidInput(f"{output} holds something else", hint="Give a new folder, or one of an earlier batch.")
        lock = _opened(output / _LOCK)
    except OSError as error:
        _unmake(output, made)
        shown = str(error.filename or output)[:_MOST_SHOWN]
        hint = hint_of(error, "Check the folder.")
        raise InvalidInput(f"cannot write to {shown}: {error.strerror}", hint=hint) from error
    with lock:
        _hold(lock, output)
        try:
            yield
        except BaseException:
            _unmake(output, made)
            raise


def _made(output: Path) -> list[Path]:
    """Make the folder, and say which folders were not there before, the innermost first."""
    missing = [folder for folder in (output, *output.parents) if not folder.exists()]
    output.mkdir(parents=True, exist_ok=True)
    return missing


def _is_ours(output: Path) -> bool:
    """Whether an earlier run made it: a file of the name alone says nothing, other programs have a ``.lock`` too."""
    lock = output / _LOCK
    if lock.is_file() and not lock.is_symlink():
        with lock.open("rb") as file:
            held = file.read(len(_MARK) + 1)
        if held == _MARK.encode() or (not held and list(output.iterdir()) == [lock]):
            return True
    if schema_of(output / MANIFEST) == BATCH_SCHEMA:
        return True
    return any(True for _ in read_ledger(output / JOURNAL))


def _opened(lock: Path) -> IO[str]:
    return os.fdopen(os.open(lock, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o666), "r+")


def _hold(lock: IO[str], output: Path) -> None:
    import fcntl

    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        is_there = os.path.samestat(os.fstat(lock.fileno()), (output / _LOCK).stat())
    except OSError:
        is_there = False
    if not is_there:
        raise InvalidInput(f"another batch is writing to {output}", hint="Wait for it to end.")
    lock.truncate(0)
    lock.write(_MARK)
    lock.flush()


def _unmake(output: Path, made: list[Path]) -> None:
    """Remove the lock where nothing else was written, and the folders that were made for it."""
    with suppress(OSError):
        if [file.name for file in output.iterdir()] == [_LOCK]:
            (output / _LOCK).unlink()
        for folder in made:
            folder.rmdir()
