"""The roofline of one kernel as plain text: work, points, roofs and how each was worked out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ncuanalyze.diagnosis import FlopCount, KernelDiagnosis, Roof, Roofline, RooflinePoint
from ncuanalyze.render.chart_marks import rate_unit, roof_unit
from ncuanalyze.render.numbers import count, digits, factor, pct, safe_text, short_name, si


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
    for name, rows in (
        ("work", [_work(work) for work in roofline.flops]),
        ("points", [_point(point) for point in roofline.points]),
        ("roofs", [cells for roof in roofline.roofs for cells in _roof(roof)]),
    ):
        if rows:
            yield f"  {name}"
            yield from _aligned(rows)
    yield from _algorithmic(roofline)
    yield from (f"  note: {safe_text(note)}" for note in roofline.notes)


def _algorithmic(roofline: Roofline) -> Iterator[str]:
    """The operator's own work and traffic beside what the kernel executed and moved."""
    executed = sum(work.flop for work in roofline.flops)
    if roofline.algorithmic_flop and executed:
        ratio = factor(executed / roofline.algorithmic_flop)
        yield f"  the operator needs {si(roofline.algorithmic_flop, 'flop')}: {ratio} of it executed"
    moved = next((point.bytes for point in roofline.points if point.level == "dram"), None)
    if roofline.algorithmic_bytes and moved:
        ratio = factor(moved / roofline.algorithmic_bytes)
        yield f"  the operator needs {si(roofline.algorithmic_bytes, 'byte')}: {ratio} of it moved at DRAM"


def _aligned(rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    """Rows of one width of name; a row of a single cell stands below the one before, indented."""
    width = max(len(row[0]) for row in rows if len(row) > 1)
    for name, *cells in rows:
        yield f"    {name:<{width}}  {'  '.join(cells)}" if cells else f"      {name}"


def _work(work: FlopCount) -> tuple[str, ...]:
    name = f"{work.precision} {'tensor' if work.path == 'tensor' else 'FMA'}"
    amount = f"{count(float(round(work.flop)))} {rate_unit(work.precision).removesuffix('/s')}"
    share = "" if work.utilization_pct is None else f"{pct(work.utilization_pct)} of its path's peak, "
    return name, amount, f"{'' if work.exact else 'estimated, '}{share}{safe_text(work.basis)}"


def _point(point: RooflinePoint) -> tuple[str, ...]:
    per_byte = rate_unit(point.precision).replace("/s", "/byte")
    place = f"{si(point.flop_per_s, rate_unit(point.precision))} at {digits(point.intensity)} {per_byte}"
    return point.name, place + (", ABOVE ITS ROOF" if point.above_roof else "")


def _roof(roof: Roof) -> tuple[tuple[str, ...], ...]:
    parts = [si(roof.per_s, roof_unit(roof))]
    if roof.achieved_per_s is not None:
        parts.append(f"{pct(100 * roof.achieved_per_s / roof.per_s)} reached")
    if roof.sustained_per_s:
        parts.append(f"{pct(100 * roof.sustained_per_s / roof.per_s)} sustained by saturating kernels")
    if not roof.used:
        parts.append("a neighbour")
    if roof.source != "report":
        parts.append(roof.source)
    return (roof.name, ", ".join(parts)), (f"= {safe_text(roof.formula)}",)
