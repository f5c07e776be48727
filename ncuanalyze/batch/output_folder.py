"""The folder of a dataset: made or taken over, and held by one run at a time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ncuanalyze.batch.isolated import require_fork
from ncuanalyze.errors import InvalidInput

_LOCK = ".lock"


@contextmanager
def locked(output: Path) -> Iterator[None]:
    """The output folder, made or taken over, for this run alone."""
    require_fork()
    import fcntl

    try:
        output.mkdir(parents=True, exist_ok=True)
        if any(output.iterdir()) and not (output / _LOCK).exists():
            raise InvalidInput(f"{output} holds something else", hint="Give a new folder, or one of an earlier batch.")
        lock = (output / _LOCK).open("w")
    except OSError as error:
        raise InvalidInput(f"cannot write to {output}: {error.strerror}", hint="Check the folder.") from error
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise InvalidInput(f"another batch is writing to {output}", hint="Wait for it to end.") from error
        yield
