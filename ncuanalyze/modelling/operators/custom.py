"""A kernel whose FLOP and bytes the user knows."""

from __future__ import annotations

from ncuanalyze.errors import InvalidInput
from ncuanalyze.modelling.operators.operator import Operator, Parameter, Values
from ncuanalyze.modelling.work import Work


def _custom(values: Values) -> Work:
    flop, moved = values.amount("flop"), values.amount("bytes")
    if flop == moved == 0:
        raise InvalidInput("a kernel of no FLOP and no bytes does nothing", hint="give flop= and bytes=")
    path = values.texts["path"].lower()
    if path not in {"", "tensor", "fma"}:
        raise InvalidInput(f"path={path} is no unit", hint="write path=tensor or path=fma")
    return Work(
        flop=flop,
        read_bytes=moved,
        write_bytes=0.0,
        precision=values.format().name,
        path=path,
        formulas={"FLOP": "as given", "bytes": "as given"},
    )


CUSTOM = (
    Operator(
        name="custom",
        summary="any kernel: its FLOP and the bytes it must move",
        parameters=(
            Parameter(name="flop", meaning="floating-point operations"),
            Parameter(name="bytes", meaning="compulsory bytes"),
            Parameter(name="dtype", meaning="precision that it computes in", default="fp32"),
            Parameter(name="path", meaning="tensor or fma (default: tensor where there is one)", default=""),
        ),
        count=_custom,
        practice="custom",
    ),
)
