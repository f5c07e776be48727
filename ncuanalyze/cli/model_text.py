"""The model in a terminal: one column a GPU, then the verdict and what good means."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from ncuanalyze.cli.console import as_text, plain_table
from ncuanalyze.modelling.estimate import Estimate
from ncuanalyze.modelling.practice import limit
from ncuanalyze.modelling.sweep import SweepPoint
from ncuanalyze.modelling.worth import Worth, worth_writing
from ncuanalyze.render.numbers import duration, factor, pct, si

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

Row = tuple[str, Callable[[Estimate], str]]
MOST_COLUMNS = 4


def estimates_text(estimates: Sequence[Estimate], *, current_ns: float | None, fuse: bool, color: bool | None) -> str:
    """One operator on one or several GPUs."""
    first = estimates[0]
    sizes = " ".join(f"{name}={text}" for name, text in first.parameters.items())
    formulas = "; ".join(f"{name}: {text}" for name, text in first.formulas.items())
    verdicts = [worth_writing(item, current_ns=current_ns, fuse=fuse) for item in estimates]
    table = _beside(estimates) if len(estimates) <= MOST_COLUMNS else _below(estimates)
    head = (f"{first.operator} {sizes}", formulas, "", table, "")
    return as_text((*head, *_verdict_lines(estimates, verdicts), *_notes(estimates)), color=color)


def sweep_text(names: Sequence[str], points: Sequence[SweepPoint], *, color: bool | None) -> str:
    """A table a GPU over the swept size."""
    first = points[0].estimate
    fixed = " ".join(f"{name}={text}" for name, text in first.parameters.items() if name not in names)
    parts: list[RenderableType] = [f"{first.operator} {fixed}"]
    columns = ("=".join(names), "FLOP", "bytes", "FLOP/byte", "bound", "attainable", "of peak", "floor")
    for gpu in dict.fromkeys(point.estimate.gpu for point in points):
        mine = [point for point in points if point.estimate.gpu == gpu]
        item = mine[0].estimate
        roofs = f"{item.peak_name} {si(item.peak_flop_per_s, _unit(item))}"
        memory = si(item.memory_bytes_per_s, "byte/s")
        parts += ["", f"{gpu}: {roofs}, {memory}, ridge {item.ridge_flop_per_byte:.0f}"]
        parts.append(plain_table(columns, [_sweep_row(point) for point in mine], text=()))
    if any(point.estimate.floor_ns < limit("launch_ns") for point in points):
        parts += [
            "",
            f"A floor below a kernel launch (about {duration(limit('launch_ns'))}) is out of reach.",
        ]
    return as_text(parts, color=color)


def _sweep_row(point: SweepPoint) -> tuple[str, ...]:
    item = point.estimate
    return (
        str(point.value),
        si(item.flop, "FLOP"),
        si(item.bytes, "byte"),
        _intensity(item.flop_per_byte),
        item.bound,
        si(item.attainable_flop_per_s, _unit(item)),
        pct(item.attainable_pct),
        duration(item.floor_ns),
    )


def _beside(estimates: Sequence[Estimate]) -> Table:
    columns = ("", *(item.gpu.removeprefix("NVIDIA ") for item in estimates))
    rows = [(label, *(show(item) for item in estimates)) for label, show in _rows(estimates)]
    return plain_table(columns, rows)


def _below(estimates: Sequence[Estimate]) -> Table:
    columns = ("GPU", "memory", "ridge", "bound", "attainable", "floor", "good")
    rows = [
        (
            item.gpu_key,
            si(item.memory_bytes_per_s, "byte/s"),
            f"{item.ridge_flop_per_byte:.0f}",
            item.bound,
            si(item.attainable_flop_per_s, _unit(item)),
            duration(item.floor_ns),
            duration(item.good_ns),
        )
        for item in estimates
    ]
    return plain_table(columns, rows)


def _rows(estimates: Sequence[Estimate]) -> Iterator[Row]:
    first = estimates[0]
    yield "work", lambda item: si(item.flop, "FLOP")
    yield "compulsory bytes", lambda item: si(item.bytes, "byte")
    yield "FLOP/byte", lambda item: _intensity(item.flop_per_byte)
    yield "ridge, FLOP/byte", lambda item: f"{item.ridge_flop_per_byte:.1f}"
    yield "unit", lambda item: item.peak_name
    yield "  its peak", lambda item: si(item.peak_flop_per_s, _unit(item))
    yield "memory", lambda item: si(item.memory_bytes_per_s, "byte/s")
    yield "bound", lambda item: item.bound
    if first.flop:
        yield "attainable", lambda item: si(item.attainable_flop_per_s, _unit(item))
        yield "  of the peak", lambda item: pct(item.attainable_pct)
    yield "floor time", lambda item: duration(item.floor_ns)
    yield "  to compute", lambda item: duration(item.compute_ns)
    yield "  to move", lambda item: duration(item.memory_ns)
    if first.good.pct:
        yield "good time", lambda item: duration(item.good_ns)
    if first.l2 is not None:
        yield "L2 bytes", lambda item: si(item.l2.bytes if item.l2 else None, "byte")
        yield "  FLOP/byte", lambda item: _intensity(item.l2.flop_per_byte) if item.l2 else "n/a"
        if any(item.l2 and item.l2.floor_ns for item in estimates):
            yield "  floor time", lambda item: duration(item.l2.floor_ns if item.l2 else None)
    if first.unfused_ns is not None:
        yield "unfused floor", lambda item: duration(item.unfused_ns)
    if first.fused_ns is not None:
        yield "fused floor", lambda item: duration(item.fused_ns)


def _unit(item: Estimate) -> str:
    return "OP/s" if item.peak_name.startswith("INT") else "FLOP/s"


def _intensity(value: float) -> str:
    return "no bytes" if math.isinf(value) else f"{value:.4g}"


def _verdict_lines(estimates: Sequence[Estimate], verdicts: Sequence[Worth]) -> Iterator[str]:
    goods = dict.fromkeys((item.good.text, item.good.source) for item in estimates)
    for text, source in goods:
        yield f"Good: {text} ({source})."
    said: dict[str, list[str]] = {}
    for item, worth in zip(estimates, verdicts, strict=True):
        gain = f", up to {factor(worth.gain)} faster" if worth.gain and worth.verdict == "yes" else ""
        said.setdefault(f"{worth.verdict}{gain}: {worth.reason}.", []).append(item.gpu.removeprefix("NVIDIA "))
    for line, gpus in said.items():
        where = f" on {', '.join(gpus)}" if len(said) > 1 else ""
        yield f"Worth writing by hand{where}? {line[0].upper()}{line[1:]}"


def _notes(estimates: Sequence[Estimate]) -> Iterator[str]:
    for note in dict.fromkeys(note for item in estimates for note in item.notes):
        yield f"Note: {note}."
