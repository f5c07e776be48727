"""Reads the values of a row out of a diagnosis as plain JSON; whatever is missing is None."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

from ncuanalyze.batch.ledger import Entry
from ncuanalyze.record import record

Document = Mapping[str, Any]
FINDING_TEXTS = ("id", "title", "kind", "severity", "confidence", "resource")
FINDING_SPEEDUPS = ("low", "estimate", "high")
_DATE_IN_PATH = re.compile(r"(?<!\d)(20\d\d)([-_.]?)(0[1-9]|1[0-2])\2(0[1-9]|[12]\d|3[01])(?!\d)")


@record
class Row:
    """What a column reads: the report's line in the ledger, its diagnosis, and one kernel of it."""

    entry: Entry
    document: Document
    kernel: Document


def of_kernel(*path: str) -> Callable[[Row], Any]:
    """Reads a value of the kernel by its path; None where a step is missing."""
    return lambda row: _walk(row.kernel, path)


def _walk(value: Any, path: tuple[str, ...]) -> Any:
    for name in path:
        if not isinstance(value, dict):  # plain JSON: a test for any mapping takes four times as long
            return None
        value = value.get(name)
    return value


def of_report(*path: str) -> Callable[[Row], Any]:
    """Reads a value of the whole diagnosis by its path."""
    return lambda row: _walk(row.document, path)


def extent(which: str, axis: int) -> Callable[[Row], Any]:
    """Reads blocks (``grid``) or threads (``block``) along an axis."""

    def read(row: Row) -> Any:
        extents = _walk(row.kernel, ("kernel", which))
        return extents[axis] if extents else None

    return read


def memory_level(level: str, name: str) -> Callable[[Row], Any]:
    """Reads a number of one memory level."""

    def read(row: Row) -> Any:
        levels = _walk(row.kernel, ("memory", "levels")) or ()
        return next((item.get(name) for item in levels if item.get("level") == level), None)

    return read


def flop_of(row: Row) -> float | None:
    """Operations of all precisions; None where none were counted, or one of the counts is missing."""
    counts = [item.get("flop") for item in _walk(row.kernel, ("roofline", "flops")) or ()]
    return sum(counts) if counts and None not in counts else None


def top_stall(name: str) -> Callable[[Row], Any]:
    """Reads a value of the largest stall reason."""

    def read(row: Row) -> Any:
        reasons = _walk(row.kernel, ("stalls", "reasons")) or ()
        return reasons[0].get(name) if reasons else None

    return read


def _cause(row: Row) -> Document:
    """The finding that promises most; where none promises anything, the first one named."""
    causes = [item for item in row.kernel.get("findings") or () if item.get("kind") == "cause"]
    return next((item for item in causes if item.get("speedup")), causes[0] if causes else {})


def of_cause(*path: str) -> Callable[[Row], Any]:
    """Reads a value of the finding that promises most."""
    return lambda row: _walk(_cause(row), path)


def saved_ns_of(row: Row) -> float | None:
    """The time that the best finding saves; None where either factor is missing."""
    duration, headroom = row.kernel.get("duration_ns"), row.kernel.get("headroom_pct")
    return None if duration is None or headroom is None else duration * headroom / 100


def findings_of(row: Row) -> list[dict[str, Any]]:
    """Every finding as a struct of the column."""
    return [
        {name: item.get(name) for name in FINDING_TEXTS}
        | {f"speedup_{name}": _walk(item, ("speedup", name)) for name in FINDING_SPEEDUPS}
        for item in row.kernel.get("findings") or ()
    ]


def profiled_at(entry: Entry) -> datetime | None:
    """When the run began, as the report says; else a date in its path (``nightly/2026-03-01/..``); else None."""
    if entry.created:
        return datetime.fromisoformat(entry.created)
    found = _DATE_IN_PATH.findall(entry.report)
    if not found:
        return None
    year, _, month, day = found[-1]
    try:
        return datetime(int(year), int(month), int(day), tzinfo=UTC)
    except ValueError:
        return None


def date_source(row: Row) -> str:
    """Where ``profiled_at`` comes from."""
    if row.entry.created:
        return "report"
    return "path" if profiled_at(row.entry) is not None else ""
