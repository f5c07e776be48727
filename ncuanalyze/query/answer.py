"""What a question gives: columns with units in their names, and rows."""

from __future__ import annotations

from typing import Any

from ncuanalyze.record import record


@record
class Answer:
    """``columns`` are names; ``rows`` hold one value for each: text, number, truth, time, list, or None."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    note: str = ""
