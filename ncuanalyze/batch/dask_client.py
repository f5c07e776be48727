"""The connection to a Dask scheduler: who works for it, and what to say when it or its workers are gone."""

from __future__ import annotations

import logging
import pkgutil
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import Future, wait
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any

from ncuanalyze.batch.held_interrupts import SafePlace
from ncuanalyze.errors import InvalidInput, MissingDependency, NcuAnalyzeError

NO_WORKERS_S = 30.0
"""How long a cluster may be without any worker: a nanny needs some seconds to replace one that died."""
_LOOK_S = 1.0
_FAREWELL_S = 2.0
_CONNECT_S = 30.0
_LIBRARIES = ("distributed", "tornado", "asyncio")
GOES_ON = "the same command goes on from here"


class ClusterLost(NcuAnalyzeError):
    """The scheduler or all of its workers went away; what was read until then is kept."""


def distributed_library() -> Any:
    """The library, or MissingDependency."""
    try:
        import distributed
    except ImportError as error:
        raise MissingDependency(
            "--engine dask needs the dask library", hint="Install it with: pip install 'ncuanalyze[dask]'"
        ) from error
    return distributed


@contextmanager
def connected(address: str, safe_place: SafePlace) -> Iterator[Any]:
    """A client of the scheduler at ``address``. Raises InvalidInput where none answers."""
    with _quiet():
        try:
            client = _patiently(partial(_client, address), safe_place)
        except (OSError, ValueError) as error:
            raise InvalidInput(
                f"cannot reach the scheduler at {address}: {error}",
                hint="Give its address as tcp://HOST:PORT, and check that it runs.",
            ) from error
        try:
            yield client
        finally:
            with suppress(Exception):  # a scheduler that is gone cannot be taken leave of
                client.close(timeout=_FAREWELL_S)


def _client(address: str) -> Any:
    class Client(distributed_library().Client):  # type: ignore[misc]
        """One that never connected waits for a minute as it is deleted, and then prints a traceback."""

        def __del__(self) -> None: ...

    return Client(address, set_as_default=False)


def _patiently(make: Callable[[], Any], safe_place: SafePlace) -> Any:
    """What ``make`` gives, or raises, in a thread that is left alone after an interrupt or when nothing answers."""
    answer: Future[Any] = Future()
    threading.Thread(target=_into, args=(answer, make), daemon=True).start()
    deadline = time.monotonic() + _CONNECT_S
    while not wait([answer], timeout=_LOOK_S / 4).done:
        safe_place()
        if time.monotonic() > deadline:
            raise TimeoutError(f"no answer in {_CONNECT_S:.0f} s")
    return answer.result()


def _into(answer: Future[Any], make: Callable[[], Any]) -> None:
    try:
        answer.set_result(make())
    except Exception as error:
        answer.set_exception(error)


@contextmanager
def _quiet() -> Iterator[None]:
    """Nothing of the libraries' own logs and warnings: what matters is raised.

    Ctrl-C within a call of theirs leaves a callback with nothing to cancel, or a coroutine that nobody awaits. Each
    logger is set, since some have a level of their own.
    """
    kept = {logger: logger.level for logger in _loggers()}
    for logger in kept:
        logger.setLevel(logging.CRITICAL + 1)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)
            yield
    finally:
        for logger, level in kept.items():
            logger.setLevel(level)


def _loggers() -> list[logging.Logger]:
    known = [name for name in logging.root.manager.loggerDict if name.partition(".")[0] in _LIBRARIES]
    return [logging.getLogger(name) for name in {*_LIBRARIES, *known}]


def lost_scheduler(address: str) -> ClusterLost:
    """The error for a scheduler that went away."""
    return ClusterLost(f"the scheduler at {address} went away", hint=f"Start it again; {GOES_ON}.")


class Workers:
    """The workers of a scheduler, looked at once a second at most."""

    def __init__(self, client: Any, address: str, safe_place: SafePlace) -> None:
        self._client = client
        self._safe_place = safe_place
        self._address = address
        self._threads = 0
        self._seen = time.monotonic()
        self._next_look = 0.0

    def threads(self) -> int:
        """How many reports they read at a time. Raises ClusterLost where there has been none for too long."""
        now = time.monotonic()
        if now >= self._next_look:
            self._look()
            self._next_look = time.monotonic() + _LOOK_S
        return self._threads

    def _look(self) -> None:
        if self._client.status == "closed":
            raise lost_scheduler(self._address)
        self._threads = 0
        with suppress(OSError, ValueError, TimeoutError):  # while the connection is down
            self._threads = sum(self._client.nthreads().values())
        if self._threads:
            self._seen = time.monotonic()
        elif time.monotonic() - self._seen > NO_WORKERS_S:
            raise ClusterLost(
                f"no workers at {self._address}",
                hint=f"Start some, as with: dask worker {self._address}; {GOES_ON}.",
            )

    def require(self) -> None:
        """Wait for the first, and see that all have this package. Raises ClusterLost or InvalidInput."""
        while not self.threads():
            self._safe_place()
            time.sleep(_LOOK_S / 4)
        answers = self._client.run(pkgutil.resolve_name, "ncuanalyze.version:__version__", on_error="return")
        for worker, answer in answers.items():
            if isinstance(answer, ImportError):
                raise InvalidInput(
                    f"the worker at {worker} lacks ncuanalyze: {answer}",
                    hint="Install the same versions everywhere; rules and thresholds must be readable by every worker.",
                )
