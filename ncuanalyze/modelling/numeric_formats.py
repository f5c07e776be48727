"""Number formats: bytes an element takes in memory, and the unit that computes it."""

from __future__ import annotations

from dataclasses import dataclass

from ncuanalyze.errors import InvalidInput


@dataclass(frozen=True, kw_only=True)
class NumericFormat:
    """A storage format. ``vector_precision`` is what CUDA cores compute it in."""

    name: str
    bytes: float
    vector_precision: str


_FORMATS = {
    item.name: item
    for item in (
        NumericFormat(name="fp64", bytes=8, vector_precision="fp64"),
        NumericFormat(name="fp32", bytes=4, vector_precision="fp32"),
        NumericFormat(name="tf32", bytes=4, vector_precision="fp32"),
        NumericFormat(name="fp16", bytes=2, vector_precision="fp32"),
        NumericFormat(name="bf16", bytes=2, vector_precision="fp32"),
        NumericFormat(name="fp8", bytes=1, vector_precision="fp32"),
        NumericFormat(name="fp6", bytes=0.75, vector_precision="fp32"),
        NumericFormat(name="fp4", bytes=0.5, vector_precision="fp32"),
        NumericFormat(name="int8", bytes=1, vector_precision="fp32"),
        NumericFormat(name="int4", bytes=0.5, vector_precision="fp32"),
        NumericFormat(name="int32", bytes=4, vector_precision="fp32"),
        NumericFormat(name="int64", bytes=8, vector_precision="fp32"),
    )
}
_ALIASES = {
    "float64": "fp64",
    "double": "fp64",
    "float32": "fp32",
    "float": "fp32",
    "float16": "fp16",
    "half": "fp16",
    "bfloat16": "bf16",
    "e4m3": "fp8",
    "e5m2": "fp8",
    "float8": "fp8",
    "mxfp4": "fp4",
    "nvfp4": "fp4",
}


def numeric_format(name: str) -> NumericFormat:
    """The format of a name, such as ``bf16`` or ``float16``. Raises ``InvalidInput``."""
    wanted = name.lower().removeprefix("torch.")
    found = _FORMATS.get(_ALIASES.get(wanted, wanted))
    if found is None:
        raise InvalidInput(f"no number format is called {name!r}", hint=f"known: {', '.join(_FORMATS)}")
    return found


def bytes_per_element(name: str) -> float:
    """Bytes that one element takes in memory."""
    return numeric_format(name).bytes
