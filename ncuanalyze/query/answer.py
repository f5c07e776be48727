"""What a question gives: columns with units in their names, and rows."""

from __future__ import annotations

from typing import Any

from ncuanalyze.record import record


@record
class Answer:
    """``columns`` are names; ``rows`` hold one value for each: text, number, truth, time, list, or None.

    ``shown``: the columns that fit a terminal, where not all do.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    note: str = ""
    shown: tuple[str, ...] = ()
