"""Runs a step of a query so that Ctrl-C ends it at once."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

Value = TypeVar("Value")

_FAREWELL_S = 5.0


def interruptible(connection: Any, step: Callable[[], Value]) -> Value:
    """What ``step`` gives, run in a thread: the database's own code would not hear of the interrupt in this one."""
    outcome: Future[Value] = Future()
    thread = threading.Thread(target=_run, args=(step, outcome), daemon=True)
    thread.start()
    try:
        return outcome.result()
    except KeyboardInterrupt:
        connection.interrupt()
        thread.join(_FAREWELL_S)
        raise


def _run(step: Callable[[], Value], outcome: Future[Value]) -> None:
    try:
        outcome.set_result(step())
    except BaseException as error:  # handed to the thread that waits
        outcome.set_exception(error)
