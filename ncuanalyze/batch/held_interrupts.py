"""Holds interrupts back until a safe place: within a library they may be swallowed, or leave it half done."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")
Handler = Callable[[int, FrameType | None], Any]
SafePlace = Callable[[], None]
"""What to call wherever an interrupt leaves nothing half done."""


class HeldInterrupts:
    """The first interrupt waits for ``let_through``; the second, of someone out of patience, strikes at once."""

    def __init__(self) -> None:
        self._handlers: dict[int, Handler] = {}
        self._held: int | None = None

    def hold(self) -> None:
        """Stand in front of every handler that this program has set."""
        for number in (signal.Signals[name] for name in _SIGNALS if hasattr(signal, name)):
            handler = signal.getsignal(number)
            if callable(handler):
                self._handlers[number] = handler
                signal.signal(number, self._keep)

    def give_back(self) -> None:
        """Put the handlers back."""
        for number, handler in self._handlers.items():
            signal.signal(number, handler)

    def let_through(self) -> None:
        """Handle the interrupt that came in the meantime, if one did."""
        if self._held is not None:
            number, self._held = self._held, None
            self._handlers[number](number, None)

    def _keep(self, number: int, frame: FrameType | None) -> None:
        if self._held is not None:
            self._handlers[number](number, frame)
        self._held = number


@contextmanager
def held_interrupts() -> Iterator[HeldInterrupts]:
    """Hold them within the block; what is still held at its end is let through then. Only the main thread has any."""
    held = HeldInterrupts()
    if threading.current_thread() is not threading.main_thread():
        yield held
        return
    held.hold()
    try:
        yield held
    finally:
        held.give_back()
        held.let_through()
