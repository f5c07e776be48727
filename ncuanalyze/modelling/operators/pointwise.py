"""Operators that touch each element: elementwise chains, reductions, copies, transposes, gathers."""

from __future__ import annotations

from functools import partial

from ncuanalyze.modelling.operators.operator import Operator, Parameter, Values
from ncuanalyze.modelling.work import Step, Work

_DTYPE = Parameter(name="dtype", meaning="number format of the tensors", default="fp16")
_N = Parameter(name="n", meaning="elements, or a shape such as 8192x4096", aliases=("shape", "numel"))


def _elementwise(values: Values, ops: float | None = None, loads: float | None = None) -> Work:
    elements, item = values.elements("n"), values.format()
    ops = values.amount("ops") if ops is None else ops
    loads = values.amount("loads") if loads is None else loads
    stores = values.amount("stores") if values.given("stores") else 1.0
    moved = item.bytes * elements
    return Work(
        flop=ops * elements,
        read_bytes=loads * moved,
        write_bytes=stores * moved,
        precision=item.vector_precision,
        path="fma",
        unfused=_chain(ops, loads, stores, moved, elements),
        formulas={"FLOP": "ops N", "bytes": "(loads + stores) e N"},
    )


def _chain(ops: float, loads: float, stores: float, moved: float, elements: float) -> tuple[Step, ...]:
    steps = round(ops)
    if steps < 2:
        return ()
    total = loads + (steps - 1) + max(steps, stores)
    return (Step(name=f"{steps} kernels, one operation each", bytes=total * moved, flop=ops * elements),)


def _reduction(values: Values) -> Work:
    rows, columns, item = values.size("m"), values.elements("n"), values.format()
    return Work(
        flop=float(rows * columns),
        read_bytes=item.bytes * rows * columns,
        write_bytes=item.bytes * rows,
        precision=item.vector_precision,
        path="fma",
        formulas={"FLOP": "M N", "bytes": "e (M N + M)"},
    )


def _copy(values: Values) -> Work:
    moved = values.format().bytes * values.elements("n")
    return _moved(values, moved, moved, {"FLOP": "0", "bytes": "2 e N"})


def _transpose(values: Values) -> Work:
    moved = values.format().bytes * values.size("m") * values.size("n")
    return _moved(values, moved, moved, {"FLOP": "0", "bytes": "2 e M N"})


def _embedding(values: Values) -> Work:
    tokens, index = values.size("tokens"), values.format("index")
    moved = values.format().bytes * tokens * values.size("d")
    formulas = {"FLOP": "0", "bytes": "2 e T D + index T"}
    return _moved(values, moved + index.bytes * tokens, moved, formulas)


def _moved(values: Values, read: float, written: float, formulas: dict[str, str]) -> Work:
    return Work(
        flop=0.0,
        read_bytes=read,
        write_bytes=written,
        precision=values.format().vector_precision,
        path="fma",
        formulas=formulas,
    )


def _preset(name: str, summary: str, ops: float, loads: float, aliases: tuple[str, ...] = ()) -> Operator:
    return Operator(
        name=name,
        summary=summary,
        parameters=(_N, _DTYPE),
        count=partial(_elementwise, ops=ops, loads=loads),
        practice="elementwise",
        aliases=aliases,
    )


POINTWISE = (
    Operator(
        name="elementwise",
        summary="any elementwise chain, fused into one kernel",
        parameters=(
            _N,
            Parameter(name="ops", meaning="FLOP per element", default="1"),
            Parameter(name="loads", meaning="input tensors", default="1", aliases=("inputs",)),
            Parameter(name="stores", meaning="output tensors", default="1", aliases=("outputs",)),
            _DTYPE,
        ),
        count=_elementwise,
        practice="elementwise",
        aliases=("pointwise",),
    ),
    _preset("add", "x + y", 1, 2, ("mul", "vector_add", "vadd")),
    _preset("relu", "max(x, 0)", 1, 1),
    _preset("gelu", "GELU, counted as 8 FLOP an element", 8, 1),
    _preset("silu", "x sigmoid(x), counted as 5 FLOP an element", 5, 1, ("swish",)),
    Operator(
        name="reduction",
        summary="sum or maximum over the last dimension",
        parameters=(
            Parameter(name="n", meaning="elements per row", aliases=("columns", "d")),
            Parameter(name="m", meaning="rows", default="1", aliases=("rows", "b")),
            _DTYPE,
        ),
        count=_reduction,
        practice="reduction",
        aliases=("sum", "reduce"),
    ),
    Operator(
        name="copy",
        summary="device-to-device copy",
        parameters=(_N, _DTYPE),
        count=_copy,
        practice="movement",
    ),
    Operator(
        name="transpose",
        summary="matrix transpose",
        parameters=(
            Parameter(name="m", meaning="rows"),
            Parameter(name="n", meaning="columns"),
            _DTYPE,
        ),
        count=_transpose,
        practice="movement",
    ),
    Operator(
        name="embedding",
        summary="gather of rows from a table (each row counted once per token)",
        parameters=(
            Parameter(name="tokens", meaning="rows gathered", aliases=("n", "t")),
            Parameter(name="d", meaning="elements per row", aliases=("dim",)),
            _DTYPE,
            Parameter(name="index", meaning="number format of the indices", default="int64"),
        ),
        count=_embedding,
        practice="gather",
        aliases=("gather",),
    ),
)
