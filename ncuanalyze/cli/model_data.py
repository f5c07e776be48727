"""The model as CSV and JSON; every name carries its unit."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Sequence

from ncuanalyze.diagnosis.codec import to_dict
from ncuanalyze.modelling.estimate import Estimate
from ncuanalyze.modelling.sweep import Sweep, SweepPoint
from ncuanalyze.modelling.worth import worth_writing

SCHEMA = "ncuanalyze.model/1"
COLUMNS = (
    "gpu_key",
    "operator",
    "flop",
    "bytes",
    "flop_per_byte",
    "ridge_flop_per_byte",
    "bound",
    "peak_name",
    "peak_flop_per_s",
    "memory_bytes_per_s",
    "attainable_flop_per_s",
    "attainable_pct",
    "floor_ns",
    "good_ns",
)


def estimates_csv(pairs: Sequence[tuple[int | None, Estimate]], *, name: str = "") -> str:
    """One row an estimate; ``name`` heads the column of the swept size. Missing values are empty."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*([name] if name else []), *COLUMNS])
    for value, item in pairs:
        cells = [_cell(getattr(item, column)) for column in COLUMNS]
        writer.writerow([*([value] if name else []), *cells])
    return out.getvalue()


def estimates_json(estimates: Sequence[Estimate], *, current_ns: float | None, fuse: bool) -> str:
    """The estimates with their verdicts."""
    items = [
        {
            **to_dict(item),
            "current_ns": current_ns,
            "worth": to_dict(worth_writing(item, current_ns=current_ns, fuse=fuse)),
        }
        for item in estimates
    ]
    return _document({"estimates": items})


def sweep_json(sweep: Sweep, points: Sequence[SweepPoint]) -> str:
    """The points of a sweep."""
    return _document({"sweep": to_dict(sweep), "points": [to_dict(point) for point in points]})


def _document(content: dict[str, object]) -> str:
    return json.dumps({"schema": SCHEMA, **content}, indent=1, allow_nan=False) + "\n"


def _cell(value: object) -> object:
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return ""
    return f"{value:.6g}" if isinstance(value, float) else value
