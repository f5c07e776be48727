"""Whether a text of SQL asks anything."""

from __future__ import annotations

from ncuanalyze.query.dataset import libraries


def has_statement(sql: str) -> bool:
    """Whether there is a statement in it, right or wrong: none is in an empty text, nor in comments alone.

    Raises MissingDependency.
    """
    duckdb, _ = libraries()
    try:
        return bool(duckdb.extract_statements(sql))
    except duckdb.Error:
        return True
