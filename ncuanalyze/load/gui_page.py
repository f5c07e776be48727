"""The raw page copied from the graphical interface: lines ``name [unit],value``, one column a launch."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ncuanalyze.load.bounded import bounded_label
from ncuanalyze.load.cells import CellMetrics
from ncuanalyze.load.identity import launch_of_row
from ncuanalyze.load.limits import MAX_KERNELS, MAX_SEPARATORS, check
from ncuanalyze.load.number import decimal_sign
from ncuanalyze.load.text import lines_of
from ncuanalyze.profile import KernelLaunch

_FIRST_LINE = re.compile(r'"?ID"?([,;\t])"?\d+"?')
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

    def launch(self, units: Mapping[str, str]) -> KernelLaunch:
        return launch_of_row(self.facts, CellMetrics(self.cells, units, decimal_sign(self.cells.values())))


def read_gui_page(text: str) -> tuple[Sequence[KernelLaunch], int]:
    """The launches, one a value column of the first row, and how many columns have no metric."""
    found = _FIRST_LINE.match(text)
    delimiter = found[1] if found is not None else ","
    check(kernels=text.partition("\n")[0].count(delimiter))
    columns: list[_Column] = []
    units: dict[str, str] = {}
    for heading, *values in _rows(text, delimiter):
        name, units[name] = _split(heading)
        check(metrics=len(units))
        columns = columns or [_Column() for _ in values[:MAX_KERNELS]]
        for column, value in zip(columns, values, strict=False):
            column.add(name, value)
    filled = [column for column in columns if column.cells]
    return [column.launch(units) for column in filled], len(columns) - len(filled)


def _rows(text: str, delimiter: str) -> Iterator[list[str]]:
    lines = (line for line in lines_of(text) if line.count(delimiter) <= MAX_SEPARATORS)
    return (row for row in csv.reader(lines, delimiter=delimiter) if len(row) > 1)


def _split(heading: str) -> tuple[str, str]:
    """Name and unit of ``name [unit]``."""
    name, bracket, unit = heading[:-1].rpartition(" [") if heading.endswith("]") else ("", "", "")
    name, unit = (bounded_label(name), bounded_label(unit)) if bracket and unit else (bounded_label(heading), "")
    return ("device__attribute_display_name" if name == _DEVICE else name), unit
