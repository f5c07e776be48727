"""Puts a question to a dataset."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from ncuanalyze.errors import InvalidInput
from ncuanalyze.query.answer import Answer
from ncuanalyze.query.dataset import opened
from ncuanalyze.query.question import Choices, Question

_CHOSEN = """WITH chosen AS (
  SELECT *, {team} AS team FROM kernels
  WHERE ($gpu IS NULL OR contains(lower(gpu), lower($gpu)))
    AND ($kernel IS NULL OR regexp_matches(demangled, $kernel))
)"""


def ask(dataset: Path, question: Question, choices: Choices | None = None) -> Answer:
    """The answer to a named question. Raises InvalidInput where a choice is missing or malformed."""
    chosen = choices or Choices()
    if question.needs_date and chosen.since is None:
        raise InvalidInput(f"{question.name} needs a date", hint="Add --since, as in --since 2026-03-01.")
    sql = f"{_CHOSEN.format(team=chosen.teams.sql())}\n{question.sql}"
    with opened(dataset) as connection:
        _check_expression(connection, chosen.kernel)
        known = {
            "top": chosen.top,
            "gpu": chosen.gpu,
            "kernel": chosen.kernel,
            "since": chosen.since,
            "threshold_pct": chosen.threshold_pct,
            **chosen.teams.parameters(connection),
        }
        answer = _answered(connection, sql, {name: value for name, value in known.items() if f"${name}" in sql})
        note = _undated(connection) if question.needs_date else ""
        return replace(answer, shown=question.shown, note=note)


def ask_sql(dataset: Path, sql: str) -> Answer:
    """The answer to the user's own SQL, which reads the table ``kernels``. Raises InvalidInput for SQL that fails."""
    with opened(dataset) as connection:
        return _answered(connection, sql, {})


def _answered(connection: Any, sql: str, parameters: dict[str, Any]) -> Answer:
    result = connection.execute(sql, parameters)
    rows = result.fetchall() if result is not None else []
    columns = tuple(item[0] for item in connection.description or ())
    return Answer(columns=columns, rows=tuple(rows))


def _check_expression(connection: Any, kernel: str | None) -> None:
    import duckdb

    if kernel is None:
        return
    try:
        connection.execute("SELECT regexp_matches('', $kernel)", {"kernel": kernel}).fetchall()
    except duckdb.Error as error:
        raise InvalidInput(
            f"--kernel: {kernel!r} is no regular expression",
            hint="Put a backslash before ( ) [ ] { } * + ? . | that are part of the name; RE2 has no look-around.",
        ) from error


def _undated(connection: Any) -> str:
    """A note of how many kernels have no date and so are on neither side; empty where all have one."""
    (undated,) = connection.execute("SELECT count(*) FROM kernels WHERE profiled_at IS NULL").fetchone()
    return f"{undated:,} launches have no date, in their report or its path, and are left out" if undated else ""
