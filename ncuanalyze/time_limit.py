"""A limit on the processor time of a step whose cost a user's input decides."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn


class TimeIsUp(Exception):
    """The step took longer than it may."""


@contextmanager
def processor_time_limit(limit_s: float) -> Iterator[None]:
    """Raise TimeIsUp in the block once it has used ``limit_s``; no limit where there are no timers, nor in threads."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGVTALRM, _time_is_up)
    signal.setitimer(signal.ITIMER_VIRTUAL, max(limit_s, 1e-6))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _time_is_up(*_: object) -> NoReturn:
    raise TimeIsUp
