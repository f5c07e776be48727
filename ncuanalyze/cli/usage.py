"""Mistakes on the command line itself, whichever room finds them, end as click's own do: with exit code 2."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ncuanalyze.errors import InvalidInput, InvalidOption


@contextmanager
def read_from_the_command_line() -> Iterator[None]:
    """What the block is given stands on the command line: InvalidInput in it is InvalidOption."""
    try:
        yield
    except InvalidInput as error:
        raise InvalidOption(str(error), hint=error.hint) from error
