"""Waits for a call that may never come back no longer than it makes headway."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")

SLOWEST_BYTES_PER_S = 1 << 20
"""Each MiB that has come gives a call another second."""


class Headway:
    """How far a call is; it calls ``more`` with what has come."""

    def __init__(self) -> None:
        self.size = 0
        self.abandoned = False

    def more(self, size: int) -> None:
        """So many more bytes have come. Raises TimeoutError where nobody waits for them any more."""
        self.size += size
        if self.abandoned:
            raise TimeoutError


class _Call(Generic[T]):
    def __init__(self, call: Callable[[Headway], T]) -> None:
        self._call = call
        self.headway = Headway()
        self.ended = threading.Event()
        self.result: list[T] = []
        self.error: BaseException | None = None

    def run(self) -> None:
        try:
            self.result.append(self._call(self.headway))
        except BaseException as error:  # raised where the result is waited for
            self.error = error
        self.ended.set()


def in_time(call: Callable[[Headway], T], timeout_s: float) -> T:
    """The result of ``call``, or what it raised; TimeoutError where it takes longer than its headway allows.

    Such a call is left behind in its thread: nothing can end it from outside.
    """
    started = time.monotonic()
    running = _Call(call)
    threading.Thread(target=running.run, daemon=True, name="ncuanalyze-remote").start()
    while not running.ended.is_set():
        left_s = timeout_s + running.headway.size / SLOWEST_BYTES_PER_S - (time.monotonic() - started)
        if left_s <= 0:
            running.headway.abandoned = True
            raise TimeoutError(f"it took longer than {timeout_s:g} s")
        running.ended.wait(left_s)
    if running.error is not None:
        raise running.error
    return running.result[0]
