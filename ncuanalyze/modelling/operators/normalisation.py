"""Row operators: layer norm, RMS norm, softmax. The weight vectors are left out: D elements against B D."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ncuanalyze.modelling.operators.operator import Operator, Parameter, Values
from ncuanalyze.modelling.work import Step, Work


@dataclass(frozen=True, kw_only=True)
class _Row:
    """FLOP per element, and the passes over the tensor of each kernel of an unfused version."""

    name: str
    summary: str
    flop_per_element: float
    columns: str
    passes: tuple[tuple[str, float], ...]
    practice: str = "library_row"
    aliases: tuple[str, ...] = ()


_ROWS = (
    _Row(
        name="layernorm",
        summary="layer normalisation over the last dimension",
        flop_per_element=8,
        columns="d",
        passes=(("mean", 1), ("subtract", 2), ("square", 2), ("variance", 1), ("scale", 2), ("weight", 2)),
        aliases=("layer_norm",),
    ),
    _Row(
        name="rmsnorm",
        summary="RMS normalisation over the last dimension",
        flop_per_element=4,
        columns="d",
        passes=(("square", 2), ("mean", 1), ("scale", 2), ("weight", 2)),
        practice="row",
        aliases=("rms_norm",),
    ),
    _Row(
        name="softmax",
        summary="softmax over the last dimension",
        flop_per_element=5,
        columns="n",
        passes=(("maximum", 1), ("subtract", 2), ("exponential", 2), ("sum", 1), ("divide", 2)),
    ),
)


def _count(row: _Row) -> Callable[[Values], Work]:
    def count(values: Values) -> Work:
        elements, item = values.size("b") * values.size(row.columns), values.format()
        moved = item.bytes * elements
        return Work(
            flop=row.flop_per_element * elements,
            read_bytes=moved,
            write_bytes=moved,
            precision=item.vector_precision,
            path="fma",
            unfused=tuple(Step(name=name, bytes=passes * moved) for name, passes in row.passes),
            formulas={
                "FLOP": f"{row.flop_per_element:g} B {row.columns.upper()}",
                "bytes": f"2 e B {row.columns.upper()}",
            },
        )

    return count


def _operator(row: _Row) -> Operator:
    others = {"d": ("n", "columns"), "n": ("d", "columns")}
    return Operator(
        name=row.name,
        summary=row.summary,
        parameters=(
            Parameter(name="b", meaning="rows", aliases=("m", "rows")),
            Parameter(name=row.columns, meaning="elements per row", aliases=others[row.columns]),
            Parameter(name="dtype", meaning="number format of the tensors", default="fp16"),
        ),
        count=_count(row),
        practice=row.practice,
        aliases=row.aliases,
    )


NORMALISATION = tuple(_operator(row) for row in _ROWS)
