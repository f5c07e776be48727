"""The named questions of ``questions.toml``, and what a user may choose in each."""

from __future__ import annotations

import tomllib
from datetime import datetime
from functools import cache
from importlib.resources import files

from ncuanalyze.query.teams import Teams
from ncuanalyze.record import record


@record
class Question:
    """``about`` is one sentence; ``sql`` reads the table ``chosen`` and names parameters ``$top``, ``$since``, ..

    ``shown``: the columns that fit a terminal, where not all do.
    """

    name: str
    about: str
    sql: str
    shown: tuple[str, ...] = ()

    @property
    def needs_date(self) -> bool:
        """Whether it cannot be asked without ``since``."""
        return "$since" in self.sql

    @property
    def ignores(self) -> frozenset[str]:
        """The choices that its answer does not depend on."""
        ignored = {"since", "threshold_pct"} if not self.needs_date else set()
        return frozenset(ignored if "team" in self.sql else ignored | {"teams"})


@record
class Choices:
    """``gpu`` is part of a GPU's name, ``kernel`` a regular expression; ``threshold_pct`` the change that counts."""

    top: int = 10
    gpu: str | None = None
    kernel: str | None = None
    since: datetime | None = None
    threshold_pct: float = 3.0
    teams: Teams = Teams()


@cache
def questions() -> dict[str, Question]:
    """Every named question by its name."""
    text = files("ncuanalyze.query").joinpath("questions.toml").read_text(encoding="utf-8")
    return {
        name: Question(name=name, about=entry["about"], sql=entry["sql"], shown=tuple(entry.get("shown", ())))
        for name, entry in tomllib.loads(text).items()
    }
