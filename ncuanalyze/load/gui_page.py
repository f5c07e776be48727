"""The raw page copied from the graphical interface: lines ``name [unit],value``, one column a launch."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator

from ncuanalyze.load.cells import CellMetrics
from ncuanalyze.load.identity import launch_of_row
from ncuanalyze.load.number import decimal_sign
from ncuanalyze.profile import KernelLaunch

_FIRST_LINE = re.compile(r'"?ID"?[,;\t]"?\d+"?')
_NAME_AND_UNIT = re.compile(r"(.*?)(?: \[([^\]]+)\])?", re.DOTALL)
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


def launches_of_gui_page(text: str) -> Iterator[KernelLaunch]:
    """The launches, one a value column."""
    delimiter = text.removeprefix('"ID"').removeprefix("ID")[0]
    rows = [row for row in csv.reader(text.split("\n"), delimiter=delimiter) if len(row) > 1]
    for column in range(1, len(rows[0])):
        yield _launch([(row[0], row[column]) for row in rows if column < len(row)])


def _launch(pairs: list[tuple[str, str]]) -> KernelLaunch:
    facts: dict[str, str] = {}
    cells: dict[str, str] = {}
    units: dict[str, str] = {}
    for heading, value in pairs:
        name, unit = _split(heading)
        if name in _FACTS:
            facts[_FACTS[name]] = value
        elif name == _FUNCTION:
            facts.setdefault("Kernel Name", value)
        else:
            cells["device__attribute_display_name" if name == _DEVICE else name] = value
            units[name] = unit
    return launch_of_row(facts, CellMetrics(cells, units, decimal_sign(cells.values())))


def _split(heading: str) -> tuple[str, str]:
    found = _NAME_AND_UNIT.fullmatch(heading)
    return (found[1], found[2] or "") if found else (heading, "")
