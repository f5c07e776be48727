"""Matrix products: plain, batched, grouped, and with quantised weights."""

from __future__ import annotations

from dataclasses import replace

from ncuanalyze.errors import InvalidInput
from ncuanalyze.modelling.operators.operator import Operator, Parameter, Values
from ncuanalyze.modelling.work import Step, Work

_M = Parameter(name="m", meaning="rows of A and C")
_N = Parameter(name="n", meaning="columns of B and C")
_K = Parameter(name="k", meaning="inner dimension")
_DTYPE = Parameter(name="dtype", meaning="number format of A and B", default="fp16")
_OUT = Parameter(name="out", meaning="number format of C (default: as A, 16-bit for smaller)", default="")
_SMALL = {"fp8", "fp6", "fp4", "int4"}
_FORMULAS = {"FLOP": "2 M N K", "bytes": "e (M K + K N + M N)"}


def _gemm(values: Values) -> Work:
    m, n, k = values.size("m"), values.size("n"), values.size("k")
    work = _products(values, ((m, n, k),), 1)
    steps = values.count("epilogue")
    if not steps:
        return work
    tile = _output_bytes(values) * m * n
    unfused = (
        Step(name="product", bytes=work.bytes, flop=work.flop),
        *(Step(name="elementwise", bytes=2 * tile, flop=float(m * n)) for _ in range(steps)),
    )
    return replace(work, unfused=unfused)


def _batched(values: Values) -> Work:
    shape = (values.size("m"), values.size("n"), values.size("k"))
    return _products(values, (shape,), values.size("batch"))


def _grouped(values: Values) -> Work:
    rows, n, k = values.sizes("m"), values.size("n"), values.size("k")
    groups = values.size("groups") if values.given("groups") else len(rows)
    if len(rows) == 1:
        rows = rows * groups
    if len(rows) != groups:
        raise InvalidInput(f"{len(rows)} row counts are no {groups} groups", hint="leave groups= out, or give one m")
    return _products(values, tuple((m, n, k) for m in rows), 1)


def _products(values: Values, shapes: tuple[tuple[int, int, int], ...], batch: int) -> Work:
    item, out = values.format(), _output_bytes(values)
    return Work(
        flop=2.0 * batch * sum(m * n * k for m, n, k in shapes),
        read_bytes=item.bytes * batch * sum(m * k + k * n for m, n, k in shapes),
        write_bytes=out * batch * sum(m * n for m, n, _ in shapes),
        precision=item.name,
        path="",
        smallest_dimension=min(min(shape) for shape in shapes),
        formulas=_FORMULAS if batch == len(shapes) == 1 else {**_FORMULAS, "sum over": "products"},
    )


def _output_bytes(values: Values) -> float:
    if values.given("out"):
        return values.format("out").bytes
    item = values.format()
    if item.name == "int8":
        return 4.0
    return 2.0 if item.name in _SMALL else item.bytes


def _quantised(values: Values) -> Work:
    m, n, k = values.size("m"), values.size("n"), values.size("k")
    item, weight, group = values.format(), values.format("weight"), values.size("group")
    scales = 2.0 * n * -(-k // group)
    return Work(
        flop=2.0 * m * n * k,
        read_bytes=item.bytes * m * k + weight.bytes * k * n + scales,
        write_bytes=item.bytes * m * n,
        precision=item.name,
        path="",
        smallest_dimension=min(m, n, k),
        formulas={"FLOP": "2 M N K", "bytes": "e (M K + M N) + w K N + 2 N K / group"},
        notes=(f"{weight.name} weights are widened to {item.name} in registers, so {item.name} rates hold",),
    )


MATMUL = (
    Operator(
        name="gemm",
        summary="C = A B",
        parameters=(
            _M,
            _N,
            _K,
            _DTYPE,
            _OUT,
            Parameter(name="epilogue", meaning="elementwise operations fused behind it", default="0"),
        ),
        count=_gemm,
        practice="gemm",
        aliases=("matmul", "linear", "mm", "gemv"),
    ),
    Operator(
        name="batched_gemm",
        summary="a product per batch entry",
        parameters=(
            Parameter(name="batch", meaning="products", aliases=("b",)),
            _M,
            _N,
            _K,
            _DTYPE,
            _OUT,
        ),
        count=_batched,
        practice="gemm",
        aliases=("bmm",),
    ),
    Operator(
        name="grouped_gemm",
        summary="products of different row counts (mixture of experts)",
        parameters=(
            Parameter(name="m", meaning="rows of each group: one number for all, or 128,256,64"),
            _N,
            _K,
            Parameter(name="groups", meaning="groups, where m is one number", default=""),
            _DTYPE,
            _OUT,
        ),
        count=_grouped,
        practice="gemm",
        aliases=("moe_gemm",),
    ),
    Operator(
        name="quantised_gemm",
        summary="16-bit activations, weights of fewer bits with a scale per group",
        parameters=(
            _M,
            _N,
            _K,
            Parameter(name="weight", meaning="number format of the weights", default="int4"),
            Parameter(name="group", meaning="weights per 16-bit scale", default="128"),
            Parameter(name="dtype", meaning="number format of the activations", default="bf16"),
        ),
        count=_quantised,
        practice="quantised_gemm",
        aliases=("quantized_gemm", "w4a16"),
    ),
)
