"""Finds ncu's CSV tables in a text that may hold anything else around and between their rows."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from itertools import islice

from ncuanalyze.load.bounded import bounded, bounded_label
from ncuanalyze.load.limits import MAX_MESSAGES, MAX_SEPARATORS, check
from ncuanalyze.load.table import AVERAGE, ID, INVOCATIONS, KERNEL, METRIC, VALUE, Table
from ncuanalyze.load.text import lines_of
from ncuanalyze.record import record

_RECORD = re.compile(r'"?\d*"?[,;\t]')
_MESSAGE = re.compile(r"^==.*", re.MULTILINE)
_SUMMARY_RECORD = re.compile(r'"')
_LONGEST_RECORD = 400
csv.field_size_limit(1 << 30)


@record
class Found:
    """The tables of a text, the lines that ncu printed beside them (``==PROF==``), and how many were skipped.

    ``ends_in_line``: the text has no line break at its end, which ncu always writes. ``ends_in_row``: it ends
    in cells that are too few for a row.
    """

    tables: list[Table]
    messages: list[str]
    foreign: int
    ends_in_line: bool = False
    ends_in_row: bool = False


def find_tables(text: str) -> Found:
    """Split a text into tables, messages of ncu and foreign lines. Raises UnreadableReport for absurd numbers."""
    if KERNEL not in text and INVOCATIONS not in text:
        return Found(tables=[], messages=[*islice(_messages(text), MAX_MESSAGES)], foreign=0)
    finder = _Finder(text)
    for line in finder.lines:
        finder.read(line)
    return finder.found()


class _Finder:
    """Goes through the lines of a text once."""

    def __init__(self, text: str) -> None:
        self.lines = lines_of(text)
        self._text = text
        self._tables: list[Table] = []
        self._messages: dict[str, None] = {}
        self._delimiter = ","
        self._line = ""
        self._is_foreign = False
        self._foreign = 0

    def read(self, line: str) -> None:
        """Take a line, and those that belong to the same row."""
        self._line, self._is_foreign = line, False
        if line.startswith("=="):
            if len(self._messages) < MAX_MESSAGES:
                self._messages[bounded(line)] = None
        elif header := _header(line):
            self._delimiter, names = header
            self._tables.append(Table(header=[*map(bounded_label, names)]))
            check(metrics=len(names), exports=len(self._tables))
        elif self._tables and _starts_record(self._tables[-1], line):
            self._is_foreign = not self._read_row(_whole_record(line, self.lines))
        else:
            self._is_foreign = bool(line.strip())
        self._foreign += self._is_foreign

    def _read_row(self, record: str) -> bool:
        table = self._tables[-1]
        check(strays=self._foreign + table.cut_rows)
        return _add(table, record, self._delimiter, cut=_ends_in_cell(record, self._delimiter, self._text))

    def found(self) -> Found:
        """What was found in all of them."""
        is_cut = not self._text.endswith("\n")
        return Found(
            tables=self._tables,
            messages=[*self._messages],
            foreign=self._foreign,
            ends_in_line=is_cut,
            ends_in_row=is_cut and self._is_foreign and self._line.startswith('"'),
        )


def _messages(text: str) -> Iterator[str]:
    return (bounded(found[0]) for found in _MESSAGE.finditer(text))


def _header(line: str) -> tuple[str, list[str]] | None:
    if KERNEL not in line and INVOCATIONS not in line:
        return None
    for delimiter in ",;\t":
        names = _cells(line, delimiter)
        if (ID in names and KERNEL in names) or {METRIC, AVERAGE, INVOCATIONS} <= set(names):
            return delimiter, names
    return None


def _cells(record: str, delimiter: str) -> list[str]:
    """The cells of a record; none where it is no CSV, such as a line break outside quotes, or one of millions."""
    if record.count(delimiter) > MAX_SEPARATORS:
        return []
    try:
        return next(csv.reader([record], delimiter=delimiter), [])
    except csv.Error:
        return []


def _starts_record(table: Table, line: str) -> bool:
    return (_SUMMARY_RECORD if table.is_summary else _RECORD).match(line) is not None


def _whole_record(line: str, lines: Iterator[str]) -> str:
    """The record with its continuation lines: a quoted cell may hold line breaks."""
    if line.count('"') % 2 == 0:
        return line
    parts = [line]
    for more in lines:
        parts.append(more)
        if more.count('"') % 2 or len(parts) > _LONGEST_RECORD:
            break
    return "\n".join(parts)


def _ends_in_cell(record: str, delimiter: str, text: str) -> bool:
    """Whether the end of a quoted cell is missing, or the last cell of the last line."""
    return record.count('"') % 2 == 1 or (record.endswith(delimiter) and text.endswith(record))


def _add(table: Table, record: str, delimiter: str, *, cut: bool) -> bool:
    """Add a record to its table, where it belongs there."""
    row = _cells(record, delimiter)
    if not cut and not table.rows and not table.units and _is_units(table, row):
        table.units = row
    elif not cut and not _belongs(table, row):
        return False
    elif cut or _is_cut(table, row):
        table.cut_rows += 1
    else:
        _keep(table, row)
    return True


def _keep(table: Table, row: list[str]) -> None:
    if table.is_details:
        table.labels.add(row[table.places[METRIC]] if len(row) > table.places[METRIC] else "")
        check(metrics=len(table.labels))
        row = [table.texts.setdefault(cell, cell) for cell in row]
    elif not table.metric_columns:
        table.bare_rows += 1
        check(kernels=table.bare_rows)
        return
    table.rows.append(row)
    if not table.is_details:
        check(kernels=len(table.rows))


def _is_units(table: Table, row: list[str]) -> bool:
    if table.is_details or len(row) != len(table.header):
        return False
    return not row[table.places[ID]] and not row[table.places[KERNEL]]


def _belongs(table: Table, row: list[str]) -> bool:
    if len(row) > len(table.header) + 1:
        return False
    if table.is_summary:
        return len(row) == len(table.header)
    at = table.places[ID]
    last_identity = table.places.get("Stream", table.places[KERNEL])
    return len(row) > max(at, last_identity) and row[at].isdigit()


def _is_cut(table: Table, row: list[str]) -> bool:
    needed = table.places[VALUE] + 1 if table.is_details and VALUE in table.places else len(table.header)
    return len(row) < needed
