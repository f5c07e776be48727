"""The roofline of one kernel as plain text: work, points, roofs and how each was worked out."""

from __future__ import annotations

from collections.abc import Iterator

from ncuanalyze.diagnosis import FlopCount, KernelDiagnosis, Roof, Roofline, RooflinePoint
from ncuanalyze.render.chart_marks import rate_unit, roof_unit
from ncuanalyze.render.numbers import count, digits, pct, safe_text, short_name, si

NAME_WIDTH = 30


def roofline_text(kernel: KernelDiagnosis) -> str:
    """The lines of one kernel, ending in a newline."""
    name = short_name(kernel.kernel.demangled or kernel.kernel.name)
    nvtx = f"  [{safe_text(kernel.kernel.nvtx[-1])}]" if kernel.kernel.nvtx else ""
    lines = [f"{name}{nvtx}"]
    if kernel.roofline is None:
        lines.append("  no roofline: collect it with --set full or --set roofline")
    else:
        lines += _lines(kernel.roofline)
    return "\n".join(lines) + "\n"


def _lines(roofline: Roofline) -> Iterator[str]:
    if roofline.nearest_roof_pct is not None:
        yield f"  nearest roof: {roofline.nearest_roof}, {pct(roofline.nearest_roof_pct)} of it reached"
    if roofline.flops:
        yield "  work"
        yield from map(_work, roofline.flops)
    if roofline.points:
        yield "  points"
        yield from map(_point, roofline.points)
    yield "  roofs"
    yield from map(_roof, roofline.roofs)
    yield from (f"  note: {safe_text(note)}" for note in roofline.notes)


def _work(work: FlopCount) -> str:
    unit = rate_unit(work.precision).removesuffix("/s")
    name = f"{work.precision} {'tensor' if work.path == 'tensor' else 'FMA'}"
    estimate = "" if work.exact else " (estimated)"
    return (
        f"    {name:<{NAME_WIDTH}}{count(float(round(work.flop)))} {unit}{estimate}, "
        f"{pct(work.utilization_pct)} of its path's peak: {work.basis}"
    )


def _point(point: RooflinePoint) -> str:
    flag = ", ABOVE ITS ROOF" if point.above_roof else ""
    rate = si(point.flop_per_s, rate_unit(point.precision))
    return f"    {point.name:<{NAME_WIDTH}}{rate} at {digits(point.intensity)} {_per_byte(point)}{flag}"


def _per_byte(point: RooflinePoint) -> str:
    return rate_unit(point.precision).replace("/s", "/byte")


def _roof(roof: Roof) -> str:
    reached = (
        "" if roof.achieved_per_s is None else f", {pct(100 * roof.achieved_per_s / roof.per_s)} reached"
    )
    sustained = ""
    if roof.sustained_per_s:
        sustained = f", {pct(100 * roof.sustained_per_s / roof.per_s)} sustained by saturating kernels"
    beside = "" if roof.used else " (neighbour)"
    source = "" if roof.source == "report" else f" [{roof.source}]"
    value = si(roof.per_s, roof_unit(roof))
    return f"    {roof.name + beside:<{NAME_WIDTH}}{value}{reached}{sustained}{source} = {roof.formula}"
