"""The rows of an answer as the database finds them, some thousand at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ncuanalyze.query.interruptible import interruptible

Row = tuple[Any, ...]

ROWS_AT_A_TIME = 10_000


class Results:
    """``columns`` are names, none twice; ``note`` is for the reader; ``shown`` are the columns that fit a terminal."""

    def __init__(
        self, connection: Any, sql: str, parameters: dict[str, Any], *, shown: Sequence[str], note: str
    ) -> None:
        self._connection = connection
        self._result = interruptible(connection, lambda: connection.execute(sql, parameters))
        self.columns = unique([item[0] for item in connection.description or ()])
        self.shown = tuple(shown)
        self.note = note

    def batches(self) -> Iterator[list[Row]]:
        """The rows, once, in lists that are not empty."""
        while self._result is not None and (rows := interruptible(self._connection, self._fetched)):
            yield rows

    def _fetched(self) -> list[Row]:
        rows: list[Row] = self._result.fetchmany(ROWS_AT_A_TIME)
        return rows


def unique(names: Sequence[str]) -> tuple[str, ...]:
    """The names, with ``_2``, ``_3``, .. at those that come again."""
    taken: set[str] = set()
    found = []
    for name in names:
        free, number = name, 1
        while free in taken or (number > 1 and free in names):
            number += 1
            free = f"{name}_{number}"
        taken.add(free)
        found.append(free)
    return tuple(found)
