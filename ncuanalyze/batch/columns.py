"""The columns of the dataset, ``ncuanalyze.kernels/1``: one row a kernel launch.

Columns are only ever added to a version; a column that changes its meaning makes a new one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from ncuanalyze.batch.ledger import Entry
from ncuanalyze.record import record

if TYPE_CHECKING:
    import pyarrow as pa

SCHEMA = "ncuanalyze.kernels/1"
Document = Mapping[str, Any]
_DATE_IN_PATH = re.compile(r"(?<!\d)(20\d\d)([-_.]?)(0[1-9]|1[0-2])\2(0[1-9]|[12]\d|3[01])(?!\d)")


@record
class Row:
    """What a column reads: the report's line in the ledger, its diagnosis, and one kernel of it."""

    entry: Entry
    document: Document
    kernel: Document


@record
class Column:
    """``kind`` names the Arrow type; ``about`` is its meaning with its unit."""

    name: str
    kind: str
    about: str
    read: Callable[[Row], Any]


def rows_of(entry: Entry, document: Document) -> Iterator[dict[str, Any]]:
    """One row a kernel, in the report's order."""
    for kernel in document["kernels"]:
        row = Row(entry=entry, document=document, kernel=kernel)
        yield {column.name: _fitting(column.kind, column.read(row)) for column in COLUMNS}


def _fitting(kind: str, value: Any) -> Any:
    """The value, or None where no column can hold it: a report is not trusted to keep to sane numbers."""
    if kind == "integer" and value is not None:
        return value if -(2**63) <= value < 2**63 else None
    return value


def arrow_schema() -> pa.Schema:
    """The Arrow schema, with the version and each column's meaning in its metadata."""
    import pyarrow as pa

    kinds = {
        "text": pa.string(),
        "texts": pa.list_(pa.string()),
        "number": pa.float64(),
        "integer": pa.int64(),
        "truth": pa.bool_(),
        "time": pa.timestamp("us", tz="UTC"),
        "findings": pa.list_(pa.struct([(name, pa.string()) for name in _FINDING_TEXTS] + _speedups(pa))),
    }
    columns = [pa.field(item.name, kinds[item.kind], metadata={"about": item.about}) for item in COLUMNS]
    return pa.schema(columns, metadata={"schema": SCHEMA})


_FINDING_TEXTS = ("id", "title", "kind", "severity", "confidence", "resource")
_FINDING_SPEEDUPS = ("low", "estimate", "high")


def _speedups(pa: Any) -> list[tuple[str, Any]]:
    return [(f"speedup_{name}", pa.float64()) for name in _FINDING_SPEEDUPS]


def _at(*path: str) -> Callable[[Row], Any]:
    """Reads a value of the kernel by its path; None where a step is missing."""
    return lambda row: _walk(row.kernel, path)


def _walk(value: Any, path: tuple[str, ...]) -> Any:
    for name in path:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value


def _of_report(*path: str) -> Callable[[Row], Any]:
    return lambda row: _walk(row.document, path)


def _extent(which: str, axis: int) -> Callable[[Row], Any]:
    def read(row: Row) -> Any:
        extents = _walk(row.kernel, ("kernel", which))
        return extents[axis] if extents else None

    return read


def _level(level: str, name: str) -> Callable[[Row], Any]:
    def read(row: Row) -> Any:
        levels = _walk(row.kernel, ("memory", "levels")) or ()
        return next((item.get(name) for item in levels if item.get("level") == level), None)

    return read


def _flop(row: Row) -> float | None:
    counts = _walk(row.kernel, ("roofline", "flops")) or ()
    return sum(item["flop"] for item in counts) if counts else None


def _top_stall(name: str) -> Callable[[Row], Any]:
    def read(row: Row) -> Any:
        reasons = _walk(row.kernel, ("stalls", "reasons")) or ()
        return reasons[0].get(name) if reasons else None

    return read


def _cause(row: Row) -> Document:
    """The finding that promises most; ranked first by the diagnosis."""
    findings = row.kernel.get("findings") or ()
    return next((item for item in findings if item.get("kind") == "cause"), {})


def _of_cause(*path: str) -> Callable[[Row], Any]:
    return lambda row: _walk(_cause(row), path)


def _saved_ns(row: Row) -> float | None:
    duration, headroom = row.kernel.get("duration_ns"), row.kernel.get("headroom_pct")
    return None if duration is None or headroom is None else duration * headroom / 100


def _findings(row: Row) -> list[dict[str, Any]]:
    return [
        {name: item.get(name) for name in _FINDING_TEXTS}
        | {f"speedup_{name}": _walk(item, ("speedup", name)) for name in _FINDING_SPEEDUPS}
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


def _date_source(row: Row) -> str:
    if row.entry.created:
        return "report"
    return "path" if profiled_at(row.entry) is not None else ""


COLUMNS: tuple[Column, ...] = (
    Column(
        name="report", kind="text", about="the report's path or URL, as it was given", read=lambda r: r.entry.report
    ),
    Column(name="report_sha256", kind="text", about="hash of the report's bytes", read=lambda r: r.entry.sha256),
    Column(
        name="profiled_at",
        kind="time",
        about="when the run began, UTC; else a date in the path; else missing",
        read=lambda r: profiled_at(r.entry),
    ),
    Column(name="profiled_at_source", kind="text", about="report, path or empty", read=_date_source),
    Column(
        name="format",
        kind="text",
        about="ncu-rep, csv-raw, csv-details or console",
        read=_of_report("source", "format"),
    ),
    Column(
        name="ncu_version", kind="text", about="version of Nsight Compute", read=_of_report("source", "ncu_version")
    ),
    Column(
        name="clock_control",
        kind="text",
        about="base, boost, none or empty",
        read=_of_report("source", "clock_control"),
    ),
    Column(name="cache_control", kind="text", about="all, none or empty", read=_of_report("source", "cache_control")),
    Column(name="replay_mode", kind="text", about="how passes were replayed", read=_of_report("source", "replay_mode")),
    Column(name="tool", kind="text", about="version that judged", read=_of_report("tool")),
    Column(name="gpu", kind="text", about="the GPU's name", read=_of_report("device", "name")),
    Column(name="chip", kind="text", about="its chip", read=_of_report("device", "chip")),
    Column(
        name="compute_capability", kind="text", about="such as 9.0", read=_of_report("device", "compute_capability")
    ),
    Column(name="sm_count", kind="integer", about="its SMs", read=_of_report("device", "sm_count")),
    Column(name="launch_id", kind="text", about="ID of the launch in the report", read=_at("kernel", "id")),
    Column(name="kernel", kind="text", about="function name", read=_at("kernel", "name")),
    Column(name="demangled", kind="text", about="full name with template arguments", read=_at("kernel", "demangled")),
    Column(name="language", kind="text", about="triton, cuda, library or empty", read=_at("kernel", "language")),
    Column(name="workload", kind="text", about="kernel, range, graph, ..", read=_at("kernel", "workload")),
    Column(name="nvtx", kind="texts", about="NVTX ranges around the launch", read=_at("kernel", "nvtx")),
    Column(name="context", kind="text", about="CUDA context", read=_at("kernel", "context")),
    Column(name="stream", kind="text", about="CUDA stream", read=_at("kernel", "stream")),
    Column(name="grid_x", kind="integer", about="blocks along x", read=_extent("grid", 0)),
    Column(name="grid_y", kind="integer", about="blocks along y", read=_extent("grid", 1)),
    Column(name="grid_z", kind="integer", about="blocks along z", read=_extent("grid", 2)),
    Column(name="block_x", kind="integer", about="threads along x", read=_extent("block", 0)),
    Column(name="block_y", kind="integer", about="threads along y", read=_extent("block", 1)),
    Column(name="block_z", kind="integer", about="threads along z", read=_extent("block", 2)),
    Column(name="duration_ns", kind="number", about="duration, ns", read=_at("duration_ns")),
    Column(name="time_share_pct", kind="number", about="share of the report's time, %", read=_at("time_share_pct")),
    Column(name="cycles", kind="number", about="elapsed SM cycles", read=_at("cycles")),
    Column(name="sm_clock_hz", kind="number", about="SM clock while it ran, Hz", read=_at("sm_clock_hz")),
    Column(name="dram_clock_hz", kind="number", about="DRAM clock while it ran, Hz", read=_at("dram_clock_hz")),
    Column(name="bound", kind="text", about="compute, memory, latency, balanced or inconclusive", read=_at("bound")),
    Column(
        name="nvidia_bound",
        kind="text",
        about="the bound that ncu's own rule names",
        read=_at("nvidia_verdict", "bound"),
    ),
    Column(name="limiter", kind="text", about="the busiest unit", read=_at("limiter")),
    Column(
        name="at_roofline", kind="truth", about="the limiter is at what it sustains, usefully", read=_at("at_roofline")
    ),
    Column(
        name="headroom_pct",
        kind="number",
        about="share of its time that the best finding saves, %",
        read=_at("headroom_pct"),
    ),
    Column(name="saved_ns", kind="number", about="duration times headroom, ns", read=_saved_ns),
    Column(name="cause", kind="text", about="ID of the finding that promises most", read=_of_cause("id")),
    Column(name="cause_title", kind="text", about="its title", read=_of_cause("title")),
    Column(
        name="cause_speedup", kind="number", about="old time over new without it", read=_of_cause("speedup", "estimate")
    ),
    Column(name="summary", kind="text", about="the verdict in a sentence", read=_at("summary")),
    Column(name="sm_pct", kind="number", about="SM throughput, % of peak", read=_at("speed_of_light", "sm_pct")),
    Column(
        name="memory_pct", kind="number", about="memory throughput, % of peak", read=_at("speed_of_light", "memory_pct")
    ),
    Column(name="flop", kind="number", about="floating-point operations counted, all precisions", read=_flop),
    Column(
        name="nearest_roof", kind="text", about="the nearest roof of the roofline", read=_at("roofline", "nearest_roof")
    ),
    Column(
        name="nearest_roof_pct",
        kind="number",
        about="how much of it is reached, %",
        read=_at("roofline", "nearest_roof_pct"),
    ),
    Column(name="dram_bytes", kind="number", about="bytes moved to and from DRAM", read=_level("dram", "bytes")),
    Column(name="dram_pct", kind="number", about="DRAM throughput, % of peak", read=_level("dram", "throughput_pct")),
    Column(name="l2_hit_pct", kind="number", about="L2 hit rate, %", read=_level("l2", "hit_rate_pct")),
    Column(name="l1_hit_pct", kind="number", about="L1 hit rate, %", read=_level("l1", "hit_rate_pct")),
    Column(name="occupancy_pct", kind="number", about="achieved occupancy, %", read=_at("occupancy", "achieved_pct")),
    Column(
        name="theoretical_occupancy_pct",
        kind="number",
        about="what the launch allows, %",
        read=_at("occupancy", "theoretical_pct"),
    ),
    Column(
        name="registers_per_thread",
        kind="number",
        about="registers a thread",
        read=_at("occupancy", "registers_per_thread"),
    ),
    Column(
        name="shared_bytes_per_block",
        kind="number",
        about="shared memory a block, bytes",
        read=_at("occupancy", "shared_bytes_per_block"),
    ),
    Column(name="waves_per_sm", kind="number", about="waves of blocks", read=_at("occupancy", "waves_per_sm")),
    Column(name="stall", kind="text", about="the largest stall reason", read=_top_stall("reason")),
    Column(name="stall_pct", kind="number", about="its share of the issue latency, %", read=_top_stall("share_pct")),
    Column(name="findings", kind="findings", about="every finding, the one that promises most first", read=_findings),
    Column(name="warnings", kind="texts", about="why numbers of this launch may deceive", read=_at("warnings")),
)
"""In this order in the file."""
