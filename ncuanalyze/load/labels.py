"""Leads from what the details page prints to metric names and section identifiers (``labels.toml``)."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping, Sequence
from functools import cache
from typing import Any

from ncuanalyze.data import table
from ncuanalyze.record import record

_METRIC_NAME = re.compile(r"(?<![\w:.])[\w:.]*[a-z0-9]__[\w.]+")  # one try a word
_BREAKDOWN = "Breakdown"
_BREAKDOWN_SUFFIX = ".avg.pct_of_peak_sustained_elapsed"


@record
class Labels:
    """The table of ``labels.toml``."""

    sections: Mapping[str, Mapping[str, Any]]
    section_ids: Mapping[str, str]
    breakdown_units: Mapping[str, str]
    breakdown_names: Mapping[str, str]
    verdict_titles: Mapping[str, str]

    def section_id(self, heading: str) -> str:
        """Identifier of a section heading; the heading itself where it is none we know (or an identifier)."""
        return self.section_ids.get(heading, heading)

    def metric(self, heading: str, item: str, label: str, printed: Container[str]) -> str | None:
        """Metric name of one row, or None. ``printed``: every label of the export, which tells its age."""
        if named := _METRIC_NAME.search(label):
            return named[0]
        if _BREAKDOWN in item and ": " in label:
            return self._breakdown(label)
        section = self.sections.get(self.section_id(heading))
        if section is None:
            return self._in_any_section(label)
        found: str | None = self._by_age(section, label, printed)
        return found

    def labels_of(self) -> Mapping[str, Sequence[str]]:
        """Metric name -> the labels that ncu prints for it."""
        found: dict[str, list[str]] = {}
        for section in self.sections.values():
            for label, name in section.get("labels", {}).items():
                found.setdefault(name, []).append(label)
        return found

    def verdict_title(self, rule: str, text: str) -> str:
        """Title of NVIDIA's bottleneck verdict, from its text."""
        if rule != "SOLBottleneck":
            return ""
        return next((title for words, title in self.verdict_titles.items() if words in text), "")

    def _breakdown(self, label: str) -> str | None:
        if label in self.breakdown_names:
            return self.breakdown_names[label]
        prefix, _, words = label.partition(": ")
        unit = self.breakdown_units.get(prefix)
        return f"{unit}__{'_'.join(words.lower().split())}{_BREAKDOWN_SUFFIX}" if unit else None

    def _by_age(self, section: Mapping[str, Any], label: str, printed: Container[str]) -> Any:
        labels = section.get("labels", {})
        older = section.get("older")
        if older is None or label not in older["labels"] or older["without"] in printed:
            return labels.get(label)
        has_memory_section = "Mem Busy" in printed
        return older["labels"][label] if has_memory_section else None

    def _in_any_section(self, label: str) -> str | None:
        names = {section.get("labels", {}).get(label) for section in self.sections.values()} - {None}
        return names.pop() if len(names) == 1 else None


@cache
def labels() -> Labels:
    """The table, read once."""
    data = table("load", "labels")
    ids = {
        heading: identifier
        for identifier, section in data["sections"].items()
        for heading in (section["name"], *section.get("other_names", ()))
    }
    return Labels(
        sections=data["sections"],
        section_ids=ids,
        breakdown_units=data["breakdown_units"],
        breakdown_names=data["breakdown_names"],
        verdict_titles=data["verdict_titles"],
    )
