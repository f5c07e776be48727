"""Has dates and times leave the database as its own text: Python's hold no infinities and no nanoseconds."""

from __future__ import annotations

import re
from typing import Any

_QUOTED = r"""(?P<quoted>"(?:[^"]|"")*"|'(?:[^']|'')*')"""
_TIME = r"(?:DATE|TIME(?:STAMP)?(?:_NS|_MS|_S)?(?: WITH TIME ZONE)?)"
_IN_TYPE = re.compile(rf"{_QUOTED}|\b{_TIME}(?=[,)\[]|$)")  # a space behind it: a field of that name
_NO_CAST = re.compile(r"\bUNION\(")


def with_exact_times(connection: Any, sql: str) -> str:
    """The query with its times as text: in ISO 8601, or as DuckDB writes what that has no form for.

    The same query where it has none, or cannot be part of another, as a failing one cannot.
    """
    import duckdb

    try:
        statements = connection.extract_statements(sql)
        if len(statements) != 1 or statements[0].type != duckdb.StatementType.SELECT:
            return sql
        inner = statements[0].query.rstrip("; \t\r\n")
        columns = [(name, kind) for name, kind, *_ in connection.execute(f"DESCRIBE {inner}").fetchall()]
        if not any(_has_time(kind) for _, kind in columns):
            return sql
        outer = _outer(inner, columns)
        connection.execute(f"DESCRIBE {outer}").fetchall()
    except duckdb.Error:
        return sql
    return outer


def _outer(inner: str, columns: list[tuple[str, str]]) -> str:
    places = [f"c{place}" for place in range(len(columns))]
    shown = [
        f"{_as_text(place, kind)} AS {_quoted(name)}" for place, (name, kind) in zip(places, columns, strict=True)
    ]
    return f"SELECT {', '.join(shown)} FROM (\n{inner}\n) AS inner_query({', '.join(places)})"


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _has_time(kind: str) -> bool:
    return kind != _without_times(kind) and _NO_CAST.search(kind) is None


def _without_times(kind: str) -> str:
    return _IN_TYPE.sub(lambda match: match["quoted"] or "VARCHAR", kind)


def _as_text(column: str, kind: str) -> str:
    if not _has_time(kind):
        return column
    text = f"CAST({column} AS {_without_times(kind)})"
    if re.fullmatch(_TIME, kind) is None:
        return text
    iso = rf"regexp_replace({text}, '^(\S+) (\d\d:)', '\1T\2')"
    return rf"regexp_replace({iso}, '([+-]\d\d)$', '\1:00')" if kind.endswith("ZONE") else iso
