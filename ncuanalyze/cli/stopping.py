"""Turns the signals that tell a command to end (SIGTERM, SIGHUP) into an interrupt, so that it cleans up."""

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
    taken = interrupt_when_told()
    try:
        yield
    finally:
        for number in taken:
            signal.signal(number, signal.SIG_DFL)


def interrupt_when_told() -> list[signal.Signals]:
    """As ``interrupted_when_told``, for good; gives the signals that were taken over. For the main thread."""
    known = [signal.Signals[name] for name in _SIGNALS if hasattr(signal, name)]
    taken = [number for number in known if signal.getsignal(number) is signal.SIG_DFL]
    for number in taken:
        signal.signal(number, interrupt)
    return taken


def interrupt(told: int, *_: object) -> NoReturn:
    """A handler: raises KeyboardInterrupt with the signal as its argument."""
    raise KeyboardInterrupt(signal.Signals(told))
