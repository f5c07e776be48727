"""The diagnosis as CSV: one row a kernel, numbers in base units."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from ncuanalyze.diagnosis import Diagnosis, KernelDiagnosis
from ncuanalyze.render.names import inert_cell

COLUMNS = (
    "id",
    "name",
    "nvtx",
    "grid",
    "block",
    "duration_ns",
    "time_share_pct",
    "bound",
    "limiter",
    "at_roofline",
    "sm_pct",
    "memory_pct",
    "nearest_roof",
    "nearest_roof_pct",
    "achieved_occupancy_pct",
    "headroom_pct",
    "first_finding",
    "first_speedup",
)


def render(diagnosis: Diagnosis) -> str:
    """A header and one row a kernel, in the report's order. Missing values are empty."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows([_cell(value) for value in _row(item)] for item in diagnosis.kernels)
    return out.getvalue()


def _row(item: KernelDiagnosis) -> Iterator[object]:
    sol, roof, best = item.speed_of_light, item.roofline, next(iter(item.findings), None)
    yield from (item.kernel.id, item.kernel.name, "/".join(item.kernel.nvtx))
    yield from (_size(item.kernel.grid), _size(item.kernel.block))
    yield from (item.duration_ns, item.time_share_pct, item.bound.value, item.limiter, item.at_roofline)
    yield from (sol.sm_pct, sol.memory_pct) if sol is not None else (None, None)
    yield from (roof.nearest_roof, roof.nearest_roof_pct) if roof is not None else (None, None)
    yield item.occupancy.achieved_pct if item.occupancy is not None else None
    yield item.headroom_pct
    yield best.id if best is not None else None
    yield best.speedup.estimate if best is not None and best.speedup is not None else None


def _size(value: tuple[int, int, int] | None) -> str | None:
    return None if value is None else "x".join(map(str, value))


def _cell(value: object) -> object:
    """A text that a spreadsheet would take for a formula is quoted, a line break spelled out; booleans are small."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return inert_cell(value)
    return value
