"""One thing that is wrong with a section file, and how bad it is."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Level(StrEnum):
    """``error``: ncu drops the file or value. ``warning``: it may, on some chips. ``note``: worth knowing."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, kw_only=True, order=True)
class Problem:
    """``line`` and ``column`` count from 1."""

    line: int
    column: int
    level: Level
    text: str

    def __str__(self) -> str:
        return f"{self.line}:{self.column}: {self.level}: {self.text}"
