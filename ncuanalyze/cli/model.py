"""``ncuanalyze model OP k=v ... --gpu NAME``: ceilings and floors of an operator before it is written."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ncuanalyze.cli.output import write_output
from ncuanalyze.cli.usage import read_from_the_command_line
from ncuanalyze.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ncuanalyze.modelling.estimate import Estimate
    from ncuanalyze.modelling.sweep import SweepPoint

FORMATS = ("text", "csv", "json", "svg")


@dataclass(frozen=True, kw_only=True)
class _Request:
    operator: str
    parameters: dict[str, str]
    gpus: tuple[str, ...]
    accumulator: str | None
    current_ns: float | None
    fuse: bool
    color: bool | None


@click.command("model")
@click.argument("operator", required=False, metavar="[OP]")
@click.argument("sizes", nargs=-1, metavar="[NAME=VALUE]...")
@click.option("-g", "--gpu", "gpus", multiple=True, metavar="NAME", help="A GPU; repeat it to compare several.")
@click.option("--sweep", metavar="NAME=A..B", help="Vary a size: m=64..8192, m=n=k=64..8192, m=64..512:64.")
@click.option("--current", metavar="TIME", help="What runs today, such as 0.18ms.")
@click.option("--fuse", is_flag=True, help="Compare with the same work as separate kernels.")
@click.option("--accumulate", type=click.Choice(("fp32", "fp16")), help="Accumulator of Tensor Core work.")
@click.option("--flop", metavar="N", help="With the operator custom: its FLOP.")
@click.option("--bytes", "moved", metavar="N", help="With the operator custom: the bytes it must move.")
@click.option("-f", "--format", "form", type=click.Choice(FORMATS), default="text", show_default=True)
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write to a file.")
@click.option("--force", is_flag=True, help="Overwrite the output file.")
@click.option("--color/--no-color", default=None, help="Force or forbid colour.")
def command(
    operator: str | None,
    sizes: tuple[str, ...],
    gpus: tuple[str, ...],
    sweep: str | None,
    current: str | None,
    fuse: bool,
    accumulate: str | None,
    flop: str | None,
    moved: str | None,
    form: str,
    output: Path | None,
    force: bool,
    color: bool | None,
) -> None:
    """Work, bytes, ceilings, floor time and worth of an operator before it is written.

    Without OP: the operators and their sizes.

    \b
    ncuanalyze model gemm m=4096 n=4096 k=4096 dtype=bf16 --gpu h100 --gpu b200
    ncuanalyze model rmsnorm b=4096 d=4096 --gpu a100 --current 0.18ms
    ncuanalyze model gemm --sweep m=n=k=64..8192 --gpu a100 --format svg -o gemm.svg
    ncuanalyze model custom --flop 2e12 --bytes 3e9 --gpu h200
    """
    from ncuanalyze.modelling.parameters import duration_ns, parse_pairs

    if operator is None:
        write_output(_operators(color), output, force=force)
        return
    given = {"flop": flop, "bytes": moved}
    with read_from_the_command_line():
        request = _Request(
            operator=operator,
            parameters={**parse_pairs(sizes), **{name: text for name, text in given.items() if text}},
            gpus=_named(gpus),
            accumulator=accumulate,
            current_ns=duration_ns(current) if current else None,
            fuse=fuse,
            color=color,
        )
        text = _swept(request, sweep, form) if sweep else _single(request, form)
    write_output(text, output, force=force)


def _named(gpus: tuple[str, ...]) -> tuple[str, ...]:
    if not gpus:
        raise InvalidInput("no GPU is named", hint="add --gpu h100 (`ncuanalyze gpus` lists them)")
    from ncuanalyze.specs import spec_for_name

    return tuple(dict.fromkeys(spec_for_name(gpu).key for gpu in gpus))


def _single(request: _Request, form: str) -> str:
    from ncuanalyze.modelling.estimate import estimate

    estimates = [
        estimate(request.operator, request.parameters, gpu, accumulator=request.accumulator) for gpu in request.gpus
    ]
    if form == "json":
        from ncuanalyze.cli.model_data import estimates_json

        return estimates_json(estimates, current_ns=request.current_ns, fuse=request.fuse)
    if form == "csv":
        from ncuanalyze.cli.model_data import estimates_csv

        return estimates_csv([(None, item) for item in estimates])
    if form == "svg":
        return _chart(f"{request.operator} {_sizes(estimates[0])}", [(None, item) for item in estimates])
    from ncuanalyze.cli.model_text import estimates_text

    return estimates_text(estimates, current_ns=request.current_ns, fuse=request.fuse, color=request.color)


def _swept(request: _Request, sweep: str, form: str) -> str:
    from ncuanalyze.modelling.sweep import parse_sweep, run_sweep

    plan = parse_sweep(sweep)
    points = run_sweep(request.operator, request.parameters, plan, request.gpus, accumulator=request.accumulator)
    pairs = [(point.value, point.estimate) for point in points]
    if form == "json":
        from ncuanalyze.cli.model_data import sweep_json

        return sweep_json(plan, points)
    if form == "csv":
        from ncuanalyze.cli.model_data import estimates_csv

        return estimates_csv(pairs, name="=".join(plan.names))
    if form == "svg":
        fixed = {name: text for name, text in points[0].estimate.parameters.items() if name not in plan.names}
        rest = " ".join(f"{name}={text}" for name, text in fixed.items())
        return _chart(f"{points[0].estimate.operator} {rest}, {sweep}", pairs)
    return _sweep_text(plan.names, points, request.color)


def _sweep_text(names: tuple[str, ...], points: tuple[SweepPoint, ...], color: bool | None) -> str:
    from ncuanalyze.cli.model_text import sweep_text

    return sweep_text(names, points, color=color)


def _chart(title: str, pairs: Sequence[tuple[int | None, Estimate]]) -> str:
    from ncuanalyze.render.model_chart import ModelPoint, ModelRoof, model_svg

    by_gpu: dict[str, list[tuple[int | None, Estimate]]] = {}
    for value, item in pairs:
        by_gpu.setdefault(item.gpu, []).append((value, item))
    roofs = [
        ModelRoof(
            name=gpu.removeprefix("NVIDIA "),
            peak_name=items[0][1].peak_name,
            peak_flop_per_s=items[0][1].peak_flop_per_s,
            memory_bytes_per_s=items[0][1].memory_bytes_per_s,
            points=tuple(
                ModelPoint(
                    name=str(item.operator if value is None else value),
                    flop_per_byte=item.flop_per_byte,
                    flop_per_s=item.attainable_flop_per_s,
                )
                for value, item in items
            ),
        )
        for gpu, items in by_gpu.items()
    ]
    chart = model_svg(title, roofs)
    if not chart:
        raise InvalidInput("an operator without FLOP has no point on a roofline", hint="use --format text")
    return chart + "\n"


def _sizes(estimate: Estimate) -> str:
    return " ".join(f"{name}={text}" for name, text in estimate.parameters.items())


def _operators(color: bool | None) -> str:
    from ncuanalyze.cli.console import as_text
    from ncuanalyze.modelling.operators import OPERATORS

    lines = []
    for item in OPERATORS:
        aliases = f" (also {', '.join(item.aliases)})" if item.aliases else ""
        lines += [f"{item.name}{aliases}: {item.summary}", f"  {item.usage}"]
    return as_text([*lines, "", "Such as: ncuanalyze model gemm m=4096 n=4096 k=4096 --gpu h100"], color=color)
