"""Answers of a query for other programs, as CSV and JSON, written as the rows are found."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from ncuanalyze.cli.query_values import json_text, number_text, word
from ncuanalyze.query import Results
from ncuanalyze.render.names import inert_cell

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")


def csv_pieces(results: Results) -> Iterator[str]:
    """The columns' names, then one line a row; a missing value is an empty cell, and so is NaN."""
    yield _csv([[_inert(name) for name in results.columns]])
    for rows in results.batches():
        yield _csv([_cell(value) for value in row] for row in rows)


def json_pieces(results: Results) -> Iterator[str]:
    """A list of objects, one a line."""
    keys = [json_text(name) for name in results.columns]
    before = "[\n"
    for rows in results.batches():
        yield before + ",\n".join(_object(keys, row) for row in rows)
        before = ",\n"
    yield "[]\n" if before == "[\n" else "\n]\n"


EXPORTS: Mapping[str, Callable[[Results], Iterator[str]]] = {"csv": csv_pieces, "json": json_pieces}


def _object(keys: Sequence[str], row: Sequence[Any]) -> str:
    return f"{{{', '.join(f'{key}: {json_text(value)}' for key, value in zip(keys, row, strict=True))}}}"


def _csv(rows: Any) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()


def _cell(value: Any) -> str:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    return number_text(value) if isinstance(value, bool | int | float | Decimal) else _inert(word(value))


def _inert(text: str) -> str:
    """The text as a cell that no spreadsheet runs; a number may begin with a sign."""
    return text if _NUMBER.fullmatch(text) else inert_cell(text)
