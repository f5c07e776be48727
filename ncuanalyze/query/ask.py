"""Puts a question to a dataset."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ncuanalyze.errors import InvalidInput
from ncuanalyze.query.answer import Answer
from ncuanalyze.query.dataset import opened
from ncuanalyze.query.exact_times import with_exact_times
from ncuanalyze.query.question import Choices, Question
from ncuanalyze.query.results import Results
from ncuanalyze.query.statements import has_statement

MOST_ROWS = 1_000_000
"""Rows that an answer holds in memory."""
_CHOSEN = """WITH chosen AS (
  SELECT *, {team} AS team FROM kernels
  WHERE ($gpu IS NULL OR contains(lower(gpu), lower($gpu)))
    AND ($kernel IS NULL OR regexp_matches(demangled, $kernel))
)"""


def ask(dataset: Path, question: Question, choices: Choices | None = None) -> Answer:
    """The answer to a named question. Raises InvalidInput where a choice is missing or malformed."""
    with asked(dataset, question, choices) as results:
        return _whole(results)


def ask_sql(dataset: Path, sql: str) -> Answer:
    """The answer to the user's own SQL, which reads the table ``kernels``. Raises InvalidInput for SQL that
    fails, and for more than ``MOST_ROWS`` rows; ``asked_sql`` gives any number."""
    with asked_sql(dataset, sql) as results:
        return _whole(results)


@contextmanager
def asked(dataset: Path, question: Question, choices: Choices | None = None) -> Iterator[Results]:
    """As ``ask``, with the rows as they are found."""
    chosen = choices or Choices()
    if question.needs_date and chosen.since is None:
        raise InvalidInput(f"{question.name} needs a date", hint="Add --since, as in --since 2026-03-01.")
    sql = f"{_CHOSEN.format(team=chosen.teams.sql())}\n{question.sql}"
    with opened(dataset) as connection:
        _check_expression(connection, chosen.kernel)
        known = _parameters(connection, chosen)
        note = "; ".join(filter(None, _one_sided(connection, chosen))) if question.needs_date else ""
        needed = {name: value for name, value in known.items() if f"${name}" in sql}
        yield Results(connection, sql, needed, shown=question.shown, note=note)


@contextmanager
def asked_sql(dataset: Path, sql: str, *, times_as_text: bool = False) -> Iterator[Results]:
    """As ``ask_sql``, with the rows as they are found. ``times_as_text``: Python's values cannot hold all of them."""
    with opened(dataset) as connection:
        if not has_statement(sql):
            raise InvalidInput("the SQL holds no statement", hint="Write one, as SELECT count(*) FROM kernels.")
        exact = with_exact_times(connection, sql) if times_as_text else sql
        yield Results(connection, exact, {}, shown=(), note="")


def _parameters(connection: Any, chosen: Choices) -> dict[str, Any]:
    return {
        "top": chosen.top,
        "gpu": chosen.gpu,
        "kernel": chosen.kernel,
        "since": chosen.since,
        "threshold_pct": chosen.threshold_pct,
        **chosen.teams.parameters(connection),
    }


def _whole(results: Results) -> Answer:
    rows: list[tuple[Any, ...]] = []
    for batch in results.batches():
        rows += batch
        if len(rows) > MOST_ROWS:
            raise InvalidInput(
                f"the query gives more than {MOST_ROWS:,} rows",
                hint="Aggregate in SQL, end it with LIMIT, or take the rows as they are found.",
            )
    return Answer(columns=results.columns, rows=tuple(rows), note=results.note, shown=results.shown)


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


def _one_sided(connection: Any, chosen: Choices) -> Iterator[str]:
    """Notes on what cannot have moved: no launches chosen, none on one side of the date, or none with a date."""
    sides = f"""{_CHOSEN.format(team="''")}
        SELECT count(*), count(*) FILTER (profiled_at < $since), count(*) FILTER (profiled_at >= $since),
          CAST(min(profiled_at) AS DATE), CAST(max(profiled_at) AS DATE) FROM chosen"""
    values = {"gpu": chosen.gpu, "kernel": chosen.kernel, "since": chosen.since}
    launches, before, since, first, last = connection.execute(sides, values).fetchone()
    if not launches:
        yield "no launch is chosen by --gpu and --kernel"
    elif first is not None and not (before and since):
        side = "since" if before else "before"
        yield f"nothing can have moved: no launches {side} {chosen.since:%Y-%m-%d}, the dates are {first} to {last}"
    yield _undated(connection)


def _undated(connection: Any) -> str:
    """A note of how many kernels have no date and so are on neither side; empty where all have one."""
    (undated,) = connection.execute("SELECT count(*) FROM kernels WHERE profiled_at IS NULL").fetchone()
    return f"{undated:,} launches have no date, in their report or its path, and are left out" if undated else ""
