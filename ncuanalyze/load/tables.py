"""Finds ncu's CSV tables in a text that may hold anything else around and between their rows."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from ncuanalyze.record import record

ID, KERNEL, METRIC, VALUE, AVERAGE = "ID", "Kernel Name", "Metric Name", "Metric Value", "Average"
_RECORD = re.compile(r'"?\d*"?[,;\t]')
_SUMMARY_RECORD = re.compile(r'"')
_LONGEST_RECORD = 400
csv.field_size_limit(1 << 30)


@dataclass(kw_only=True)
class Table:
    """One export: its header, its units row (raw page only) and its rows; a row may end before the header."""

    header: list[str]
    units: list[str] = field(default_factory=list)
    rows: list[list[str]] = field(default_factory=list)
    cut_rows: int = 0

    @property
    def is_details(self) -> bool:
        """Whether a row holds one metric, as on the details page."""
        return METRIC in self.places

    @property
    def is_summary(self) -> bool:
        """Whether a row holds minimum, maximum and average of many launches."""
        return self.is_details and AVERAGE in self.places

    @cached_property
    def places(self) -> Mapping[str, int]:
        """Where each column stands; of two columns with one name, the first."""
        return {name: at for at, name in reversed([*enumerate(self.header)])}

    def records(self) -> Iterator[Mapping[str, str]]:
        """The rows by column name; a row that ends early lacks its last columns."""
        for row in self.rows:
            yield dict(zip(self.header, row, strict=False))


@record
class Found:
    """The tables of a text, the lines that ncu printed beside them (``==PROF==``), and what was skipped."""

    tables: list[Table]
    messages: list[str]
    foreign: list[str]


def find_tables(text: str) -> Found:
    """Split a text into tables, messages of ncu and foreign lines."""
    found = Found(tables=[], messages=[], foreign=[])
    lines = iter(text.split("\n"))
    delimiter = ","
    for line in lines:
        if line.startswith("=="):
            found.messages.append(line)
        elif header := _header(line):
            delimiter, names = header
            found.tables.append(Table(header=names))
        elif found.tables and _starts_record(found.tables[-1], line):
            _add(found, _whole_record(line, lines), delimiter)
        elif line.strip():
            found.foreign.append(line)
    return found


def _header(line: str) -> tuple[str, list[str]] | None:
    if KERNEL not in line and "Invocations" not in line:
        return None
    for delimiter in ",;\t":
        names = _cells(line, delimiter)
        if (ID in names and KERNEL in names) or {METRIC, AVERAGE, "Invocations"} <= set(names):
            return delimiter, names
    return None


def _cells(record: str, delimiter: str) -> list[str]:
    """The cells of a record; none where it is no CSV, such as a line break outside quotes."""
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


def _add(found: Found, record: str, delimiter: str) -> None:
    table = found.tables[-1]
    row = _cells(record, delimiter)
    if not table.rows and not table.units and _is_units(table, row):
        table.units = row
    elif not _belongs(table, row):
        found.foreign.append(record)
    elif _is_cut(table, row):
        table.cut_rows += 1
    else:
        table.rows.append(row)


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
