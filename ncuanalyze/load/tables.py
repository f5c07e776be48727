"""Finds ncu's CSV tables in a text that may hold anything else around and between their rows."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import Any

from ncuanalyze.load.bounded import bounded, bounded_label
from ncuanalyze.load.limits import MAX_MESSAGES, MAX_SEPARATORS, check
from ncuanalyze.load.text import lines_of
from ncuanalyze.record import record

IDENTITY = frozenset(
    {"ID", "Process ID", "Process Name", "Host Name", "Kernel Name", "Kernel Time", "Context", "Stream"}
    | {"Block Size", "Grid Size", "Device", "CC", "NVTX Range", "Range Name"}
)
ID, KERNEL, METRIC, VALUE, AVERAGE = "ID", "Kernel Name", "Metric Name", "Metric Value", "Average"
INVOCATIONS = "Invocations"
_RECORD = re.compile(r'"?\d*"?[,;\t]')
_MESSAGE = re.compile(r"^==.*", re.MULTILINE)
_SUMMARY_RECORD = re.compile(r'"')
_LONGEST_RECORD = 400
csv.field_size_limit(1 << 30)


@dataclass(kw_only=True)
class Table:
    """One export: its header, its units row (raw page only) and its rows; a row may end before the header.

    ``labels``: every metric of a details page. ``bare_rows``: rows of a raw page that has no column for a metric.
    ``texts``: the cells of a details page, most of which come again and again, once.
    """

    header: list[str]
    units: list[str] = field(default_factory=list)
    rows: list[list[str]] = field(default_factory=list)
    cut_rows: int = 0
    bare_rows: int = 0
    labels: set[str] = field(default_factory=set)
    texts: dict[str, str] = field(default_factory=dict)

    @property
    def is_details(self) -> bool:
        """Whether a row holds one metric, as on the details page."""
        return METRIC in self.places

    @property
    def is_summary(self) -> bool:
        """Whether a row holds minimum, maximum and average of many launches."""
        return self.is_details and AVERAGE in self.places

    @cached_property
    def places(self) -> dict[str, int]:
        """Where each column stands; of two columns with one name, the first."""
        places: dict[str, int] = {}
        for at, name in enumerate(self.header):
            places.setdefault(name, at)
        return places

    @cached_property
    def metric_columns(self) -> Sequence[int]:
        """Where the metrics of a raw page stand."""
        return [at for at, name in enumerate(self.header) if name and not is_identity(name)]

    def records(self) -> Iterator[Record]:
        """The rows by column name; a row that ends early lacks its last columns."""
        return (Record(self.places, row) for row in self.rows)


class Record(Mapping[str, str]):
    """One row by column name, without a copy of it. ``places`` are in ascending order."""

    __slots__ = ("_places", "_row")

    def __init__(self, places: dict[str, int], row: Sequence[str]) -> None:
        self._places = places
        self._row = row

    def __getitem__(self, name: str) -> str:
        at = self._places[name]
        if at >= len(self._row):
            raise KeyError(name)
        return self._row[at]

    def get(self, name: str, default: Any = None) -> Any:
        """As a dict has it; the one of Mapping raises and catches where a column is missing."""
        at = self._places.get(name, len(self._row))
        return self._row[at] if at < len(self._row) else default

    def __contains__(self, name: object) -> bool:
        return self._places.get(name, len(self._row)) < len(self._row)  # type: ignore[call-overload, no-any-return]

    def __iter__(self) -> Iterator[str]:
        if next(reversed(self._places.values()), -1) < len(self._row):
            return iter(self._places)
        return (name for name, at in self._places.items() if at < len(self._row))

    def __len__(self) -> int:
        return sum(1 for _ in self)


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
    tables, messages, foreign = list[Table](), dict[str, None](), 0
    lines = lines_of(text)
    delimiter = ","
    line, is_foreign = "", False
    for line in lines:
        is_foreign = False
        if line.startswith("=="):
            if len(messages) < MAX_MESSAGES:
                messages[bounded(line)] = None
        elif header := _header(line):
            delimiter, names = header[0], [*map(bounded_label, header[1])]
            tables.append(Table(header=names))
            check(metrics=len(names), exports=len(tables))
        elif tables and _starts_record(tables[-1], line):
            record = _whole_record(line, lines)
            is_foreign = not _add(tables[-1], record, delimiter, cut=_ends_in_cell(record, delimiter, text))
            check(strays=foreign + tables[-1].cut_rows)
        elif line.strip():
            is_foreign = True
        foreign += is_foreign
    return Found(
        tables=tables,
        messages=[*messages],
        foreign=foreign,
        ends_in_line=not text.endswith("\n"),
        ends_in_row=is_foreign and not text.endswith("\n") and line.startswith('"'),
    )


def _messages(text: str) -> Iterator[str]:
    return (bounded(found[0]) for found in _MESSAGE.finditer(text))


def is_identity(column: str) -> bool:
    """Whether a column of the raw page says which launch it is, or in which range."""
    return column in IDENTITY or "Domain:" in column


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
