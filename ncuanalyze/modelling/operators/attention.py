"""Attention: fused, naive and decode, with causal masks and grouped KV heads."""

from __future__ import annotations

from dataclasses import dataclass

from ncuanalyze.errors import InvalidInput
from ncuanalyze.modelling.operators.operator import Operator, Parameter, Values
from ncuanalyze.modelling.work import Step, Work

_SHARED = (
    Parameter(name="b", meaning="batch", default="1", aliases=("batch",)),
    Parameter(name="h", meaning="query heads", default="1", aliases=("heads", "hq")),
    Parameter(name="hkv", meaning="KV heads (default: as many as query heads)", default="", aliases=("kv_heads",)),
    Parameter(name="s", meaning="sequence length of both, or give sq and skv", default=""),
    Parameter(name="sq", meaning="query length", default=""),
    Parameter(name="skv", meaning="KV length", default="", aliases=("kv",)),
    Parameter(name="d", meaning="head dimension", default="128", aliases=("head_dim",)),
    Parameter(name="causal", meaning="1: half of the pairs are masked", default="0"),
    Parameter(name="dtype", meaning="number format", default="fp16"),
)
_BLOCK_M = Parameter(name="block_m", meaning="query rows per tile, for the L2 level", default="128")


@dataclass(frozen=True, kw_only=True)
class _Shape:
    b: int
    h: int
    hkv: int
    sq: int
    skv: int
    d: int
    kept: float
    element_bytes: float
    precision: str

    @property
    def flop(self) -> float:
        """QK and PV: 2 FLOP each per pair of positions and element of the head."""
        return 4.0 * self.b * self.h * self.sq * self.skv * self.d * self.kept

    @property
    def query_bytes(self) -> float:
        return self.element_bytes * self.b * self.h * self.sq * self.d

    @property
    def kv_bytes(self) -> float:
        return 2.0 * self.element_bytes * self.b * self.hkv * self.skv * self.d

    @property
    def score_bytes(self) -> float:
        return self.element_bytes * self.b * self.h * self.sq * self.skv


def _shape(values: Values) -> _Shape:
    h = values.size("h")
    hkv = values.size("hkv") if values.given("hkv") else h
    if h % hkv:
        raise InvalidInput(f"{h} query heads do not divide by {hkv} KV heads", hint="h is a multiple of hkv")
    sq, skv = _length(values, "sq"), _length(values, "skv")
    item = values.format()
    return _Shape(
        b=values.size("b"),
        h=h,
        hkv=hkv,
        sq=sq,
        skv=skv,
        d=values.size("d"),
        kept=1.0 - min(sq, skv) / (2.0 * skv) if values.flag("causal") else 1.0,
        element_bytes=item.bytes,
        precision=item.name,
    )


def _length(values: Values, name: str) -> int:
    if values.given(name):
        return values.size(name)
    if values.given("s"):
        return values.size("s")
    raise InvalidInput(f"attention needs {name}", hint="give s=2048, or sq= and skv=")


def _fused(values: Values) -> Work:
    shape = _shape(values)
    tiles = -(-shape.sq // values.size("block_m"))
    return Work(
        flop=shape.flop,
        read_bytes=shape.query_bytes + shape.kv_bytes,
        write_bytes=shape.query_bytes,
        precision=shape.precision,
        path="",
        l2_bytes=2 * shape.query_bytes + shape.kv_bytes * shape.h / shape.hkv * tiles * shape.kept,
        smallest_dimension=min(shape.sq, shape.skv),
        unfused=_naive_steps(shape),
        formulas={
            "FLOP": "4 B H Sq Skv D (half if causal)",
            "bytes": "e B (2 H Sq D + 2 Hkv Skv D)",
            "bytes at L2": "K and V once per query tile",
        },
    )


def _naive(values: Values) -> Work:
    shape = _shape(values)
    return Work(
        flop=shape.flop,
        read_bytes=shape.query_bytes + shape.kv_bytes + 2 * shape.score_bytes,
        write_bytes=shape.query_bytes + 2 * shape.score_bytes,
        precision=shape.precision,
        path="",
        smallest_dimension=min(shape.sq, shape.skv),
        fused_bytes=2 * shape.query_bytes + shape.kv_bytes,
        formulas={
            "FLOP": "4 B H Sq Skv D (half if causal)",
            "bytes": "e B (2 H Sq D + 2 Hkv Skv D + 4 H Sq Skv)",
        },
        notes=("the scores are written, read, written and read again",),
    )


def _naive_steps(shape: _Shape) -> tuple[Step, ...]:
    half = shape.kv_bytes / 2
    return (
        Step(name="Q K^T", bytes=shape.query_bytes + half + shape.score_bytes, flop=shape.flop / 2),
        Step(name="softmax", bytes=2 * shape.score_bytes),
        Step(name="P V", bytes=shape.score_bytes + half + shape.query_bytes, flop=shape.flop / 2),
    )


def _decode(values: Values) -> Work:
    shape = _shape(values)
    return Work(
        flop=shape.flop,
        read_bytes=shape.query_bytes + shape.kv_bytes,
        write_bytes=shape.query_bytes,
        precision=shape.precision,
        path="",
        formulas={"FLOP": "4 B H Sq Skv D", "bytes": "e B (2 H Sq D + 2 Hkv Skv D)"},
        notes=("the KV cache is read once per step; with one query row, Tensor Cores compute padded tiles",),
    )


def _decode_parameters() -> tuple[Parameter, ...]:
    one = Parameter(name="sq", meaning="query rows per step", default="1")
    cache = Parameter(name="skv", meaning="length of the KV cache", aliases=("kv", "cache"))
    swapped = {"sq": one, "skv": cache}
    return tuple(swapped.get(item.name, item) for item in _SHARED)


ATTENTION = (
    Operator(
        name="attention",
        summary="fused attention (scores stay on chip)",
        parameters=(*_SHARED, _BLOCK_M),
        count=_fused,
        practice="attention",
        aliases=("flash_attention", "sdpa", "fused_attention"),
    ),
    Operator(
        name="attention_naive",
        summary="attention with its scores in memory",
        parameters=_SHARED,
        count=_naive,
        practice="attention_naive",
        aliases=("naive_attention",),
    ),
    Operator(
        name="attention_decode",
        summary="one step of decoding against a KV cache",
        parameters=_decode_parameters(),
        count=_decode,
        practice="decode",
        aliases=("decode_attention", "flash_decode", "paged_attention"),
    ),
)
