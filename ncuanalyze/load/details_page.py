"""The details page: one row a metric, under the heading of its section; rows of rule results between them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from ncuanalyze.load.bounded import bounded, bounded_label
from ncuanalyze.load.cells import CellMetrics
from ncuanalyze.load.identity import launch_of_row
from ncuanalyze.load.labels import labels
from ncuanalyze.load.limits import check
from ncuanalyze.load.number import decimal_sign, number_of
from ncuanalyze.load.table import METRIC, VALUE, Table
from ncuanalyze.profile import KernelLaunch, StoredResult

_KINDS = {"OPT": "optimization", "WRN": "warning", "INF": "ok", "ERR": "error"}
_NO_SECTION = "Command line profiler metrics"
_SECTION, _ITEM, _UNIT = "Section Name", "Body Item Label", "Metric Unit"


@dataclass
class Sheet:
    """What the rows of one launch say."""

    first: Mapping[str, str]
    cells: dict[str, str] = field(default_factory=dict)
    units: dict[str, str] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)
    sections: dict[str, None] = field(default_factory=dict)
    results: list[StoredResult] = field(default_factory=list)
    nvtx: list[str] = field(default_factory=list)

    def add(self, heading: str, item: str, printed: str, unit: str, value: str, name: str | None) -> None:
        """Keep one metric. The first row of a metric counts: body items repeat what the header says."""
        printed = bounded_label(printed)
        known = bounded_label(name) if name else (printed if printed not in self.cells else f"{heading}: {printed}")
        self.labels.setdefault(printed, known)
        if known not in self.cells:
            self.cells[known] = value
            self.units[known] = bounded_label(unit)

    def launch(self, decimal: str, *, id: str | None = None, invocations: int = 1) -> KernelLaunch:
        """The launch that the rows describe."""
        return launch_of_row(
            self.first,
            CellMetrics(self.cells, self.units, decimal, self.labels),
            sections=tuple(self.sections),
            stored_results=tuple(self.results),
            id=id,
            invocations=invocations,
            nvtx=tuple(self.nvtx),
        )


def launches_of_details_page(table: Table) -> Iterator[KernelLaunch]:
    """The launches of one table, in the order of their first rows."""
    printed = table.labels
    decimal = decimal_sign(
        (record.get(VALUE, "") for record in table.records()),
        (record.get(VALUE, "") for record in table.records() if record.get(_UNIT) == "%"),
    )
    sheets: dict[tuple[str, str], Sheet] = {}
    for record in table.records():
        key = (record["ID"], record.get("Process ID", ""))
        if key not in sheets:
            sheets[key] = Sheet(record)
            check(kernels=len(sheets))
        read_row(sheets[key], record, printed)
    for sheet in sheets.values():
        yield sheet.launch(decimal)


def read_row(sheet: Sheet, record: Mapping[str, str], printed: set[str], value: str = VALUE) -> None:
    """Add one row, a metric or a rule result, to the sheet of its launch."""
    heading = bounded_label(record.get(_SECTION, ""))
    if heading and heading != _NO_SECTION:
        sheet.sections[labels().section_id(heading)] = None
    if record.get("Rule Name"):
        sheet.results.append(_result(record))
        check(metrics=len(sheet.results))
    elif printed_label := record.get(METRIC):
        item = record.get(_ITEM, "")
        name = labels().metric(heading, item, printed_label, printed)
        sheet.add(heading, item, printed_label, record.get(_UNIT, ""), record.get(value, ""), name)


def _result(record: Mapping[str, str]) -> StoredResult:
    rule, text = record["Rule Name"], record.get("Rule Description", "")
    return StoredResult(
        rule=bounded_label(rule),
        section=labels().section_id(bounded_label(record.get(_SECTION, ""))),
        title=labels().verdict_title(rule, text),
        text=bounded(text),
        kind=_KINDS.get(record.get("Rule Type", ""), "none"),
        speedup_pct=number_of(record.get("Estimated Speedup") or ""),
        speedup_scope=bounded_label(record.get("Estimated Speedup Type") or ""),
    )
