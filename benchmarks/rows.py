"""A dataset of any number of kernels, made from a real one: its rows again and again, with numbers of their own."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from ncuanalyze.batch.manifest import FileMark, write_manifest

ROWS_PER_PART = 50_000
SPREAD = 0.03
DAY_US = 86_400_000_000
JITTERED = (
    "duration_ns",
    "cycles",
    "saved_ns",
    "sm_pct",
    "memory_pct",
    "dram_bytes",
    "dram_pct",
    "flop",
    "occupancy_pct",
)
_START_US = 1_767_225_600_000_000  # 2026-01-01


def multiply(original: Path, rows: int, folder: Path) -> int:
    """Write ``rows`` rows in parts of 50,000 below ``folder``, a night a part, and say how many bytes they take."""
    base = pq.read_table(original)
    (folder / "kernels").mkdir(parents=True)
    marks = {}
    for part, first in enumerate(range(0, rows, ROWS_PER_PART)):
        file = folder / "kernels" / f"part-{part:05}.parquet"
        table = _night(base, min(ROWS_PER_PART, rows - first), part)
        pq.write_table(table, file, compression="zstd", row_group_size=16_384)
        marks[f"kernels/{file.name}"] = FileMark.of(file)
    write_manifest(folder / "manifest.json", ["" for _ in marks], marks, "")
    return sum(mark.bytes for mark in marks.values())


def _night(base: pa.Table, rows: int, part: int) -> pa.Table:
    random = np.random.default_rng(part)
    table = base.take(pa.array(np.arange(rows) % base.num_rows))
    factors = pa.array(np.exp(SPREAD * random.standard_normal(rows)))
    for name in JITTERED:
        table = _replaced(table, name, pc.multiply(table[name], factors))
    moments = pa.array(_START_US + part * DAY_US + random.integers(0, DAY_US, rows), pa.timestamp("us", tz="UTC"))
    names = pa.array([f"nightly/{part:05}/team{row % 37}/{row // 50:06}.ncu-rep" for row in range(rows)])
    hashes = pa.array([random.bytes(32).hex() for _ in range(rows // 50 + 1)]).take(pa.array(np.arange(rows) // 50))
    table = _replaced(_replaced(table, "profiled_at", moments), "report", names)
    return _replaced(table, "report_sha256", hashes)


def _replaced(table: pa.Table, name: str, values: pa.Array) -> pa.Table:
    place = table.schema.get_field_index(name)
    return table.set_column(place, table.schema.field(name), values)
