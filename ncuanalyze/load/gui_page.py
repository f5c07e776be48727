"""The raw page copied from the graphical interface: lines ``name [unit],value``, one column a launch."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from ncuanalyze.load.cells import CellMetrics
from ncuanalyze.load.identity import launch_of_row
from ncuanalyze.load.number import decimal_sign
from ncuanalyze.profile import KernelLaunch

_FIRST_LINE = re.compile(r'"?ID"?[,;\t]"?\d+"?')
_FACTS = {
    "ID": "ID",
    "Demangled Name": "Kernel Name",
    "Grid Size": "Grid Size",
    "Block Size": "Block Size",
    "Compute Capability": "CC",
    "CC": "CC",
    "Stream": "Stream",
    "Context": "Context",
}
_DEVICE, _FUNCTION = "Device Name", "Function Name"


def is_gui_page(text: str) -> bool:
    """Whether a text has the form of such a copy."""
    return _FIRST_LINE.match(text) is not None and (_FUNCTION in text or "Demangled Name" in text)


@dataclass
class _Column:
    """What one launch's column says; the units are those of all columns."""

    facts: dict[str, str] = field(default_factory=dict)
    cells: dict[str, str] = field(default_factory=dict)

    def add(self, name: str, value: str) -> None:
        if name in _FACTS:
            self.facts[_FACTS[name]] = value
        elif name == _FUNCTION:
            self.facts.setdefault("Kernel Name", value)
        else:
            self.cells[name] = value


def launches_of_gui_page(text: str) -> Iterator[KernelLaunch]:
    """The launches, one a value column of the first row."""
    delimiter = text.removeprefix('"ID"').removeprefix("ID")[0]
    columns: list[_Column] = []
    units: dict[str, str] = {}
    rows = (row for row in csv.reader(text.split("\n"), delimiter=delimiter) if len(row) > 1)
    for heading, *values in rows:
        name, units[name] = _split(heading)
        columns = columns or [_Column() for _ in values]
        for column, value in zip(columns, values, strict=False):
            column.add(name, value)
    for column in columns:
        yield launch_of_row(column.facts, CellMetrics(column.cells, units, decimal_sign(column.cells.values())))


def _split(heading: str) -> tuple[str, str]:
    """Name and unit of ``name [unit]``."""
    name, bracket, unit = heading[:-1].rpartition(" [") if heading.endswith("]") else ("", "", "")
    name, unit = (name, unit) if bracket and unit else (heading, "")
    return ("device__attribute_display_name" if name == _DEVICE else name), unit
