"""Regular expressions and globs that a user gave: compiled here alone, so that each mistake in one reads the same."""

from __future__ import annotations

import fnmatch
import re
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache

from ncuanalyze.errors import InvalidInput, InvalidOption
from ncuanalyze.time_limit import TimeIsUp, processor_time_limit

MOST_PROCESSOR_S = 3.0
"""What one pattern may cost, all names together: nested repeats take years for a name of fifty letters."""
_SHOWN = 60
_ESCAPE_HINT = "put a backslash before . * + ? ( ) [ ] { } of a plain name, and quote it"


class Pattern:
    """A regular expression; ``option`` is what the user gave it with. Raises InvalidOption for what is none."""

    slow_hint = "write it without a repeat inside a repeat, such as (a+)+"
    error: type[InvalidInput] = InvalidOption

    def __init__(self, text: str, option: str) -> None:
        self._said = f"{option}: {_short(text)}"
        self._left_s = MOST_PROCESSOR_S
        self._known: dict[tuple[str, ...], bool] = {}
        with self._limited():
            self._regex = self._compiled(text)

    def finds(self, *names: str) -> bool:
        """Whether it is found anywhere in one of the names. Raises ``error`` where that takes too long."""
        if names not in self._known:
            with self._limited():
                self._known[names] = any(self._regex.search(name) for name in names)
        return self._known[names]

    def _expression(self, text: str) -> str:
        return text

    def _compiled(self, text: str) -> re.Pattern[str]:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # "possible nested set": a set may hold a bracket
                return re.compile(self._expression(text))
        except (re.error, OverflowError, RecursionError) as error:
            raise self.error(f"{self._said} is no regular expression: {error}", hint=_ESCAPE_HINT) from error

    @contextmanager
    def _limited(self) -> Iterator[None]:
        began_s = time.process_time()
        try:
            with processor_time_limit(self._left_s):
                yield
        except TimeIsUp as error:
            raise self.error(f"{self._said} takes too long to search for", hint=self.slow_hint) from error
        finally:
            self._left_s -= time.process_time() - began_s


class Glob(Pattern):
    """A whole name with ``*``, ``?`` and ``[...]``, as in a budget."""

    slow_hint = "write a shorter one"
    error = InvalidInput

    def _expression(self, text: str) -> str:
        return rf"\A{fnmatch.translate(text)}"


@lru_cache(maxsize=1024)
def glob(text: str) -> Glob:
    """The glob, compiled once."""
    return Glob(text, "the name")


def _short(text: str) -> str:
    return repr(text) if len(text) <= _SHOWN else f"{text[:_SHOWN]!r}... ({len(text):,} characters)"
