"""The columns of the dataset, ``ncuanalyze.kernels/1``: one row a kernel launch.

Columns are only ever added to a version; a column that changes its meaning makes a new one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from ncuanalyze.batch.fitting import fitting
from ncuanalyze.batch.ledger import Entry
from ncuanalyze.batch.row_values import (
    FINDING_SPEEDUPS,
    FINDING_TEXTS,
    Document,
    Row,
    date_source,
    extent,
    findings_of,
    flop_of,
    memory_level,
    of_cause,
    of_kernel,
    of_report,
    profiled_at,
    saved_ns_of,
    top_stall,
)
from ncuanalyze.record import record

if TYPE_CHECKING:
    import pyarrow as pa

SCHEMA = "ncuanalyze.kernels/1"


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
        yield {column.name: fitting(column.kind, column.read(row)) for column in COLUMNS}


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
        "findings": pa.list_(pa.struct([(name, pa.string()) for name in FINDING_TEXTS] + _speedups(pa))),
    }
    columns = [pa.field(item.name, kinds[item.kind], metadata={"about": item.about}) for item in COLUMNS]
    return pa.schema(columns, metadata={"schema": SCHEMA})


def _speedups(pa: Any) -> list[tuple[str, Any]]:
    return [(f"speedup_{name}", pa.float64()) for name in FINDING_SPEEDUPS]


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
    Column(name="profiled_at_source", kind="text", about="report, path or empty", read=date_source),
    Column(
        name="format",
        kind="text",
        about="ncu-rep, csv-raw, csv-details or console",
        read=of_report("source", "format"),
    ),
    Column(name="ncu_version", kind="text", about="version of Nsight Compute", read=of_report("source", "ncu_version")),
    Column(
        name="clock_control",
        kind="text",
        about="base, boost, none or empty",
        read=of_report("source", "clock_control"),
    ),
    Column(name="cache_control", kind="text", about="all, none or empty", read=of_report("source", "cache_control")),
    Column(name="replay_mode", kind="text", about="how passes were replayed", read=of_report("source", "replay_mode")),
    Column(name="tool", kind="text", about="version that judged", read=of_report("tool")),
    Column(name="gpu", kind="text", about="the GPU's name", read=of_report("device", "name")),
    Column(name="chip", kind="text", about="its chip", read=of_report("device", "chip")),
    Column(name="compute_capability", kind="text", about="such as 9.0", read=of_report("device", "compute_capability")),
    Column(name="sm_count", kind="integer", about="its SMs", read=of_report("device", "sm_count")),
    Column(name="launch_id", kind="text", about="ID of the launch in the report", read=of_kernel("kernel", "id")),
    Column(name="kernel", kind="text", about="function name", read=of_kernel("kernel", "name")),
    Column(
        name="demangled", kind="text", about="full name with template arguments", read=of_kernel("kernel", "demangled")
    ),
    Column(name="language", kind="text", about="triton, cuda, library or empty", read=of_kernel("kernel", "language")),
    Column(name="workload", kind="text", about="kernel, range, graph, ..", read=of_kernel("kernel", "workload")),
    Column(name="nvtx", kind="texts", about="NVTX ranges around the launch", read=of_kernel("kernel", "nvtx")),
    Column(name="context", kind="text", about="CUDA context", read=of_kernel("kernel", "context")),
    Column(name="stream", kind="text", about="CUDA stream", read=of_kernel("kernel", "stream")),
    Column(name="grid_x", kind="integer", about="blocks along x", read=extent("grid", 0)),
    Column(name="grid_y", kind="integer", about="blocks along y", read=extent("grid", 1)),
    Column(name="grid_z", kind="integer", about="blocks along z", read=extent("grid", 2)),
    Column(name="block_x", kind="integer", about="threads along x", read=extent("block", 0)),
    Column(name="block_y", kind="integer", about="threads along y", read=extent("block", 1)),
    Column(name="block_z", kind="integer", about="threads along z", read=extent("block", 2)),
    Column(name="duration_ns", kind="number", about="duration, ns", read=of_kernel("duration_ns")),
    Column(
        name="time_share_pct", kind="number", about="share of the report's time, %", read=of_kernel("time_share_pct")
    ),
    Column(name="cycles", kind="number", about="elapsed SM cycles", read=of_kernel("cycles")),
    Column(name="sm_clock_hz", kind="number", about="SM clock while it ran, Hz", read=of_kernel("sm_clock_hz")),
    Column(name="dram_clock_hz", kind="number", about="DRAM clock while it ran, Hz", read=of_kernel("dram_clock_hz")),
    Column(
        name="bound", kind="text", about="compute, memory, latency, balanced or inconclusive", read=of_kernel("bound")
    ),
    Column(
        name="nvidia_bound",
        kind="text",
        about="the bound that ncu's own rule names",
        read=of_kernel("nvidia_verdict", "bound"),
    ),
    Column(name="limiter", kind="text", about="the busiest unit", read=of_kernel("limiter")),
    Column(
        name="at_roofline",
        kind="truth",
        about="the limiter is at what it sustains, usefully",
        read=of_kernel("at_roofline"),
    ),
    Column(
        name="headroom_pct",
        kind="number",
        about="share of its time that the best finding saves, %",
        read=of_kernel("headroom_pct"),
    ),
    Column(name="saved_ns", kind="number", about="duration times headroom, ns", read=saved_ns_of),
    Column(name="cause", kind="text", about="ID of the finding that promises most", read=of_cause("id")),
    Column(name="cause_title", kind="text", about="its title", read=of_cause("title")),
    Column(
        name="cause_speedup", kind="number", about="old time over new without it", read=of_cause("speedup", "estimate")
    ),
    Column(name="summary", kind="text", about="the verdict in a sentence", read=of_kernel("summary")),
    Column(name="sm_pct", kind="number", about="SM throughput, % of peak", read=of_kernel("speed_of_light", "sm_pct")),
    Column(
        name="memory_pct",
        kind="number",
        about="memory throughput, % of peak",
        read=of_kernel("speed_of_light", "memory_pct"),
    ),
    Column(name="flop", kind="number", about="floating-point operations counted, all precisions", read=flop_of),
    Column(
        name="nearest_roof",
        kind="text",
        about="the nearest roof of the roofline",
        read=of_kernel("roofline", "nearest_roof"),
    ),
    Column(
        name="nearest_roof_pct",
        kind="number",
        about="how much of it is reached, %",
        read=of_kernel("roofline", "nearest_roof_pct"),
    ),
    Column(name="dram_bytes", kind="number", about="bytes moved to and from DRAM", read=memory_level("dram", "bytes")),
    Column(
        name="dram_pct", kind="number", about="DRAM throughput, % of peak", read=memory_level("dram", "throughput_pct")
    ),
    Column(name="l2_hit_pct", kind="number", about="L2 hit rate, %", read=memory_level("l2", "hit_rate_pct")),
    Column(name="l1_hit_pct", kind="number", about="L1 hit rate, %", read=memory_level("l1", "hit_rate_pct")),
    Column(
        name="occupancy_pct", kind="number", about="achieved occupancy, %", read=of_kernel("occupancy", "achieved_pct")
    ),
    Column(
        name="theoretical_occupancy_pct",
        kind="number",
        about="what the launch allows, %",
        read=of_kernel("occupancy", "theoretical_pct"),
    ),
    Column(
        name="registers_per_thread",
        kind="number",
        about="registers a thread",
        read=of_kernel("occupancy", "registers_per_thread"),
    ),
    Column(
        name="shared_bytes_per_block",
        kind="number",
        about="shared memory a block, bytes",
        read=of_kernel("occupancy", "shared_bytes_per_block"),
    ),
    Column(name="waves_per_sm", kind="number", about="waves of blocks", read=of_kernel("occupancy", "waves_per_sm")),
    Column(name="stall", kind="text", about="the largest stall reason", read=top_stall("reason")),
    Column(name="stall_pct", kind="number", about="its share of the issue latency, %", read=top_stall("share_pct")),
    Column(name="findings", kind="findings", about="every finding, the one that promises most first", read=findings_of),
    Column(name="warnings", kind="texts", about="why numbers of this launch may deceive", read=of_kernel("warnings")),
)
"""In this order in the file."""
