"""Text copied from the terminal: what ``ncu`` and ``ncu --page details`` print without ``--csv``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from ncuanalyze.load.bounded import bounded, bounded_label
from ncuanalyze.load.details_page import Sheet
from ncuanalyze.load.labels import labels
from ncuanalyze.load.limits import check
from ncuanalyze.load.number import decimal_sign, number_of
from ncuanalyze.load.text import lines_of
from ncuanalyze.profile import KernelLaunch, StoredResult

_LAUNCH = re.compile(
    r"(?P<kernel>.*?)(?: (?P<grid>\(\d+, \d+, \d+\))x(?P<block>\(\d+, \d+, \d+\)))?,"
    r"(?: \d{4}-\w{3}-\d{2} [\d:]+,)? Context (?P<context>\S+?)"
    r"(?:, Stream (?P<stream>\S+?))?(?:, Device (?P<device>\d+))?(?:, CC (?P<cc>\d+\.\d+))?"
)
_SECTION = re.compile(r"Section: (.+)")
_RULER = re.compile(r"\s*-{3,}( +-{3,})+\s*")
_RULE = re.compile(r"\s*(OPT|INF|WRN|ERR)\s+(\S.*)")
_SPEEDUP = re.compile(r"Est\.? (?:(Local) )?Speedup: ([\d.]+)%")
_RANGE = re.compile(r"\s*<\d+,(.*)>\s*")
_KINDS = {"OPT": "optimization", "INF": "ok", "WRN": "warning", "ERR": "error"}


@dataclass
class Reading:
    """Where the reader stands: the launch, the section, and the columns of the table."""

    sheets: list[Sheet] = field(default_factory=list)
    rows: list[tuple[Sheet, str, str, str, str]] = field(default_factory=list)
    heading: str = ""
    columns: list[tuple[int, int]] = field(default_factory=list)
    rule: list[str] = field(default_factory=list)


def is_console(text: str) -> bool:
    """Whether a text has a launch line and a section heading."""
    if "Section: " not in text or ", Context " not in text:
        return False
    return any(map(_section, lines_of(text))) and any(map(_launch, lines_of(text)))


def launches_of_console(text: str) -> Iterator[KernelLaunch]:
    """The launches of a printed page."""
    reading = Reading()
    for line in lines_of(text):
        _read(reading, line)
    _end_rule(reading)
    printed = {row[2] for row in reading.rows}
    for sheet, heading, label, unit, value in reading.rows:
        sheet.add(heading, "", label, unit, value, labels().metric(heading, "", label, printed))
    decimal = decimal_sign(row[4] for row in reading.rows)
    for at, sheet in enumerate(reading.sheets):
        yield sheet.launch(decimal, id=str(at))


def _read(reading: Reading, line: str) -> None:
    if reading.rule and line.strip() and not _section(line) and not _RULE.fullmatch(line):
        reading.rule.append(line.strip())
        return
    _end_rule(reading)
    if (launch := _launch(line)) and not line.startswith("=="):
        reading.sheets.append(Sheet(_facts(launch)))
        check(kernels=len(reading.sheets))
        reading.heading, reading.columns = "", []
    elif section := _section(line):
        reading.heading, reading.columns = bounded_label(section[1]), []
        if reading.sheets:
            reading.sheets[-1].sections[labels().section_id(reading.heading)] = None
    elif _RULER.fullmatch(line):
        reading.columns = [found.span() for found in re.finditer("-+", line)]
    elif rule := _RULE.fullmatch(line):
        reading.rule = [rule[1], rule[2].strip()]
    elif reading.columns and reading.sheets:
        _read_row(reading, line)
    elif (nvtx := _RANGE.fullmatch(line)) and reading.sheets:
        reading.sheets[-1].nvtx.append(nvtx[1])


def _launch(line: str) -> re.Match[str] | None:
    """A launch line. The spaces in front are no part of the pattern: there it would try every number of them."""
    return _LAUNCH.fullmatch(line.lstrip()) if ", Context " in line else None


def _section(line: str) -> re.Match[str] | None:
    return _SECTION.fullmatch(line.strip()) if "Section: " in line else None


def _facts(launch: re.Match[str]) -> dict[str, str]:
    names = {
        "kernel": "Kernel Name",
        "grid": "Grid Size",
        "block": "Block Size",
        "context": "Context",
        "stream": "Stream",
        "cc": "CC",
    }
    return {names[key]: value for key, value in launch.groupdict().items() if key in names and value}


def _read_row(reading: Reading, line: str) -> None:
    cells = _cut(line, reading.columns)
    if cells is None or cells["label"] == "Metric Name" or not cells["label"]:
        return
    reading.rows.append(
        (reading.sheets[-1], reading.heading, cells["label"], cells["unit"], cells["value"]),
    )
    check(metrics=len(reading.rows) // len(reading.sheets))


def _cut(line: str, columns: list[tuple[int, int]]) -> Mapping[str, str] | None:
    if len(columns) != 3 or len(line.rstrip()) <= columns[1][0]:
        return None
    label_end, unit_end = columns[1][0], columns[2][0]
    return {
        "label": line[:label_end].strip(),
        "unit": line[label_end:unit_end].strip(),
        "value": line[unit_end:].strip(),
    }


def _end_rule(reading: Reading) -> None:
    if reading.rule and reading.sheets:
        kind, *parts = reading.rule
        text = " ".join(parts)
        speedup = _SPEEDUP.match(text)
        text = text[speedup.end() :].strip() if speedup else text
        title = labels().verdict_title("SOLBottleneck", text) if reading.heading else ""
        reading.sheets[-1].results.append(
            StoredResult(
                rule="SOLBottleneck" if title else "",
                section=labels().section_id(reading.heading),
                title=title,
                text=bounded(text),
                kind=_KINDS[kind],
                speedup_pct=number_of(speedup[2]) if speedup else None,
                speedup_scope=("local" if speedup[1] else "global") if speedup else "",
            )
        )
    reading.rule = []
