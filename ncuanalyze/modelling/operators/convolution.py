"""Two-dimensional convolution."""

from __future__ import annotations

from ncuanalyze.errors import InvalidInput
from ncuanalyze.modelling.operators.operator import Operator, Parameter, Values
from ncuanalyze.modelling.work import Work


def _output_size(values: Values, size: int, kernel: int, axis: str) -> int:
    padding = values.count("pad")
    reach = values.size("dilation") * (kernel - 1) + 1
    output = (size + 2 * padding - reach) // values.size("stride") + 1
    if output < 1:
        raise InvalidInput(f"the kernel is larger than the padded {axis}", hint="check r, s, pad and dilation")
    return output


def _conv2d(values: Values) -> Work:
    n, c, k, r = (values.size(name) for name in ("n", "c", "k", "r"))
    h, w = values.size("h"), values.size("w") if values.given("w") else values.size("h")
    s = values.size("s") if values.given("s") else r
    groups, item = values.size("groups"), values.format()
    if c % groups or k % groups:
        raise InvalidInput(f"{c} and {k} channels do not divide by {groups} groups", hint="check groups=")
    p, q = _output_size(values, h, r, "height"), _output_size(values, w, s, "width")
    weights = k * (c // groups) * r * s
    return Work(
        flop=2.0 * n * weights * p * q,
        read_bytes=item.bytes * (n * c * h * w + weights),
        write_bytes=item.bytes * n * k * p * q,
        precision=item.name,
        path="",
        formulas={"FLOP": "2 N K C R S P Q", "bytes": "e (N C H W + K C R S + N K P Q)"},
        notes=(f"output {p} x {q}",),
    )


CONVOLUTION = (
    Operator(
        name="conv2d",
        summary="2-D convolution",
        parameters=(
            Parameter(name="n", meaning="batch", aliases=("b",)),
            Parameter(name="c", meaning="input channels"),
            Parameter(name="h", meaning="input height"),
            Parameter(name="w", meaning="input width (default: h)", default=""),
            Parameter(name="k", meaning="output channels"),
            Parameter(name="r", meaning="kernel height"),
            Parameter(name="s", meaning="kernel width (default: r)", default=""),
            Parameter(name="stride", meaning="stride", default="1"),
            Parameter(name="pad", meaning="padding", default="0"),
            Parameter(name="dilation", meaning="dilation", default="1"),
            Parameter(name="groups", meaning="groups", default="1"),
            Parameter(name="dtype", meaning="number format", default="fp16"),
        ),
        count=_conv2d,
        practice="conv2d",
        aliases=("conv",),
    ),
)
