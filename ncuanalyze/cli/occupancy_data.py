"""Occupancy as JSON, as CSV of its what-if curves, and as their chart."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence

from ncuanalyze.diagnosis.codec import to_dict
from ncuanalyze.modelling.launch_occupancy import LaunchOccupancy
from ncuanalyze.modelling.occupancy_curves import what_if
from ncuanalyze.modelling.reach import ways_of
from ncuanalyze.modelling.triton_tile import TritonTile

SCHEMA = "ncuanalyze.occupancy/1"
TITLES = {
    "registers": "registers per thread",
    "shared": "shared memory per block (B)",
    "threads": "threads per block",
}


def occupancy_json(found: Sequence[LaunchOccupancy], tile: TritonTile | None, reach: float | None) -> str:
    """Every launch with its curves and the ways to reach more."""
    kernels = []
    for item in found:
        target, ways = ways_of(item, tile, reach)
        kernels.append(
            {
                **to_dict(item),
                "curves": to_dict(what_if(item.compute_capability, item.block)),
                "target_pct": target,
                "ways": to_dict(ways),
            }
        )
    return json.dumps({"schema": SCHEMA, "kernels": kernels}, indent=1, allow_nan=False) + "\n"


def curves_csv(item: LaunchOccupancy) -> str:
    """One row a point: what is varied, its value, warps per SM, percent, limiters."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("varied", "value", "unit", "warps_per_sm", "theoretical_pct", "limiters"))
    for curve in what_if(item.compute_capability, item.block):
        for point in curve.points:
            share, limiters = f"{point.theoretical_pct:g}", " ".join(point.limiters)
            writer.writerow((curve.varied, point.value, curve.unit, point.warps_per_sm, share, limiters))
    return out.getvalue()


def curves_svg(item: LaunchOccupancy) -> str:
    """The what-if curves side by side."""
    from ncuanalyze.render.occupancy_chart import StepCurve, occupancy_svg

    curves = [
        StepCurve(
            title=TITLES[curve.varied],
            current=curve.current,
            current_pct=item.calculated.theoretical_pct,
            points=tuple((point.value, point.theoretical_pct) for point in curve.points),
        )
        for curve in what_if(item.compute_capability, item.block)
    ]
    return occupancy_svg(f"{item.name}: theoretical occupancy", curves) + "\n"
