"""Datasets as ``ncuanalyze batch`` would write them, from rows given as dicts."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

Values = dict[str, Any]

GPUS = ("NVIDIA H200", "NVIDIA A100", "", None)
BOUNDS = ("compute", "memory", "latency", "balanced", "", None)
KERNELS = ("attn_fwd", "attn_bwd", "void at::native::add<float>(float*)", "gemm_128x64", "moe_gate", "<unnamed>", "")
CAUSES = {"spill": "Registers spill", "tail": "The last wave is short", "stride": "Strided access"}
FIRST_DAY = datetime(2026, 1, 1, tzinfo=UTC)


def launch(kernel: str, duration_ns: float | None, **values: Any) -> Values:
    """A row with the columns that questions read."""
    return {
        "report": "nightly/a/one.csv",
        "gpu": "H200",
        "kernel": kernel,
        "demangled": kernel,
        "duration_ns": duration_ns,
        "bound": "memory",
        "grid_x": 1,
        "block_x": 128,
        **values,
    }


def dataset(folder: Path, rows: Sequence[Values], *, parts: int = 1) -> Path:
    """The folder, with the rows in so many parts."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    from ncuanalyze.batch.columns import arrow_schema

    (folder / "kernels").mkdir(parents=True)
    for part in range(parts):
        table = pa.Table.from_pylist(list(rows[part::parts]), schema=arrow_schema())
        pq.write_table(table, folder / "kernels" / f"part-{part:05}.parquet")
    return marked(folder)


def marked(folder: Path) -> Path:
    """The folder, with a manifest that tells of its parts as they are."""
    from ncuanalyze.batch.manifest import FileMark, write_manifest

    files = sorted((folder / "kernels").glob("part-*.parquet"))
    marks = {file.relative_to(folder).as_posix(): FileMark.of(file) for file in files}
    write_manifest(folder / "manifest.json", ["" for _ in files], marks, "")
    return folder


def odd_rows(count: int, seed: int) -> list[Values]:
    """Launches with nulls, ties, zero durations, and dates and GPUs that are missing; the same for the same seed.

    Kernels of ``attn`` are far slower from the 30th day on.
    """
    draw = random.Random(seed)
    return [_odd_row(draw) for _ in range(count)]


def _odd_row(draw: random.Random) -> Values:
    kernel, day = draw.choice(KERNELS), draw.randrange(60)
    duration = draw.choice([None, 0.0, 100.0, 100.0, 200.0, float(draw.randrange(1, 1000))])
    if duration is not None and kernel.startswith("attn") and day >= 30:
        duration *= 50
    cause = draw.choice([None, *CAUSES])
    is_known = duration is not None and draw.random() < 0.8
    dated = draw.random() < 0.9
    return launch(
        kernel,
        duration,
        report=f"nightly/{draw.choice('abc')}/{draw.randrange(50)}.csv",
        gpu=draw.choice(GPUS),
        bound=draw.choice(BOUNDS),
        profiled_at=FIRST_DAY + timedelta(days=day) if dated else None,
        grid_x=draw.choice([1, 2, None]),
        cycles=draw.choice([None, 0.0, 2.0 * (duration or 0)]),
        cause=cause,
        cause_title=CAUSES[cause] if cause else None,
        saved_ns=duration * draw.choice([0, 0.25, 0.5]) if is_known and duration is not None else None,
    )
