"""Lets a command that is told to end (SIGTERM, SIGHUP) clean up as it does after Ctrl-C."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

_SIGNALS = ("SIGTERM", "SIGHUP")


@contextmanager
def interrupted_when_told() -> Iterator[None]:
    """Raise KeyboardInterrupt for signals that would end the process on the spot; ignored ones stay ignored."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    known = [getattr(signal, name) for name in _SIGNALS if hasattr(signal, name)]
    taken = [number for number in known if signal.getsignal(number) is signal.SIG_DFL]
    for number in taken:
        signal.signal(number, _interrupt)
    try:
        yield
    finally:
        for number in taken:
            signal.signal(number, signal.SIG_DFL)


def _interrupt(*_: object) -> NoReturn:
    raise KeyboardInterrupt
