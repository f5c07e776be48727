"""``ncuanalyze occupancy``: how many blocks fit on an SM, what limits them, and how to reach more."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ncuanalyze.cli.ignored_options import refuse
from ncuanalyze.cli.output import write_output
from ncuanalyze.cli.usage import read_from_the_command_line
from ncuanalyze.errors import InvalidInput, InvalidOption

if TYPE_CHECKING:
    from ncuanalyze.modelling.launch_occupancy import LaunchOccupancy
    from ncuanalyze.modelling.occupancy import BlockResources
    from ncuanalyze.modelling.triton_tile import TritonTile

FORMATS = ("text", "csv", "json", "svg")
_IGNORED = {
    "a report": {"gpu", "threads", "registers", "shared", "static_shared", "barriers"},
    "--triton": {"threads", "shared", "static_shared", "barriers", "kernel"},
    "sizes": {"kernel"},
}
"""What each source of the sizes says itself, or has no use for."""
_IGNORED_HINT = {
    "a report": "the report tells the sizes of its kernels: leave the option or the report out",
    "--triton": "the tile tells it: block_m= block_n= block_k= num_stages= num_warps=",
    "sizes": "give a report to pick a kernel of",
}
_CAPABILITY = re.compile(r"^(\d{1,2})\.(\d)$")


@dataclass(frozen=True, kw_only=True)
class _Sizes:
    gpu: str | None
    threads: int | None
    registers: int | None
    shared: str | None
    static_shared: str | None
    barriers: int


@click.command("occupancy")
@click.argument("words", nargs=-1, metavar="[REPORT | NAME=VALUE...]")
@click.option("-g", "--gpu", metavar="NAME", help="A GPU, or a compute capability such as 9.0.")
@click.option("--threads", type=int, help="Threads per block.")
@click.option("--regs", "registers", type=click.IntRange(1, 255), help="Registers per thread.")
@click.option("--smem", "shared", metavar="BYTES", help="Dynamic shared memory per block: 98304 or 96KB.")
@click.option("--static-smem", "static_shared", metavar="BYTES", help="Static shared memory per block.")
@click.option("--barriers", type=click.IntRange(0, 64), default=0, help="Named barriers per block (CC 9.0 on).")
@click.option("--triton", is_flag=True, help="Take threads and shared memory from block_m= block_n= ...")
@click.option(
    "--reach",
    type=click.FloatRange(0, 100, min_open=True),
    metavar="PCT",
    help="Show the smallest changes that reach this occupancy.",
)
@click.option("-k", "--kernel", metavar="REGEX", help="Only kernels of the report whose name matches.")
@click.option("-f", "--format", "form", type=click.Choice(FORMATS), default="text", show_default=True)
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write to a file.")
@click.option("--force", is_flag=True, help="Overwrite the output file.")
@click.option("--color/--no-color", default=None, help="Force or forbid colour.")
def command(
    words: tuple[str, ...],
    gpu: str | None,
    threads: int | None,
    registers: int | None,
    shared: str | None,
    static_shared: str | None,
    barriers: int,
    triton: bool,
    reach: float | None,
    kernel: str | None,
    form: str,
    output: Path | None,
    force: bool,
    color: bool | None,
) -> None:
    """Blocks and warps per SM, what limits them, what-if curves, and how to reach more.

    \b
    ncuanalyze occupancy --gpu a100 --threads 256 --regs 168 --smem 96KB --reach 50
    ncuanalyze occupancy --gpu a100 --regs 168 --triton block_m=128 block_n=128 block_k=64 num_stages=3 num_warps=8
    ncuanalyze occupancy report.ncu-rep --kernel matmul
    """
    sizes = _Sizes(
        gpu=gpu,
        threads=threads,
        registers=registers,
        shared=shared,
        static_shared=static_shared,
        barriers=barriers,
    )
    _refuse_ignored(_source(words, triton=triton), form)
    tile = None
    with read_from_the_command_line():
        if triton:
            tile = _tile(words)
            found = [_from_tile(tile, sizes)]
        elif not words:
            found = [_from_sizes(sizes)]
    if words and not triton:
        found = _from_report(words[0], kernel)
    write_output(_written(found, tile, reach, form, color), output, force=force)


def _source(words: tuple[str, ...], *, triton: bool) -> str:
    """Where the sizes come from. Raises InvalidOption for words that are neither a report nor a tile."""
    if triton or not words:
        return "--triton" if triton else "sizes"
    if len(words) > 1 or "=" in words[0]:
        raise InvalidOption("one report is expected", hint="name=value pairs belong to --triton")
    return "a report"


def _refuse_ignored(source: str, form: str) -> None:
    """Raise InvalidOption for options that the source of the sizes, or the format, has no use for."""
    refuse(_IGNORED[source], source, _IGNORED_HINT[source])
    if form in ("csv", "svg"):
        refuse({"reach"}, f"--format {form}", "the curves have every occupancy: text and JSON name the changes")


def _written(
    found: list[LaunchOccupancy], tile: TritonTile | None, reach: float | None, form: str, color: bool | None
) -> str:
    if form == "text":
        if reach is not None and len(found) > 1:
            raise InvalidInput(f"--reach: {len(found)} kernels have no common way", hint="pick one with --kernel REGEX")
        from ncuanalyze.cli.occupancy_text import occupancy_text

        return occupancy_text(found, tile, reach, color=color)
    from ncuanalyze.cli import occupancy_data

    if form == "json":
        return occupancy_data.occupancy_json(found, tile, reach)
    if len(found) > 1:
        raise InvalidInput(f"{len(found)} kernels have no common curve", hint="pick one with --kernel REGEX")
    return occupancy_data.curves_csv(found[0]) if form == "csv" else occupancy_data.curves_svg(found[0])


def _tile(words: tuple[str, ...]) -> TritonTile:
    from ncuanalyze.modelling.triton_tile import parse_tile

    return parse_tile(" ".join(words))


def _from_tile(tile: TritonTile, sizes: _Sizes) -> LaunchOccupancy:
    from ncuanalyze.modelling.triton_ways import tile_block

    if sizes.registers is None:
        raise InvalidInput(
            "the registers per thread of the tile are unknown",
            hint="add --regs N: compiled Triton kernels tell it as n_regs, ncu as launch__registers_per_thread",
        )
    return _calculated(sizes, "triton tile", tile_block(tile, sizes.registers))


def _from_sizes(sizes: _Sizes) -> LaunchOccupancy:
    from ncuanalyze.modelling.occupancy import BlockResources

    if sizes.threads is None or sizes.registers is None:
        raise InvalidInput(
            "threads and registers are needed",
            hint="--gpu a100 --threads 256 --regs 64 [--smem 48KB], or give a report",
        )
    block = BlockResources(
        threads=sizes.threads,
        registers_per_thread=sizes.registers,
        static_shared_bytes=_bytes(sizes.static_shared),
        dynamic_shared_bytes=_bytes(sizes.shared),
        barriers=sizes.barriers,
    )
    return _calculated(sizes, "block", block)


def _calculated(sizes: _Sizes, name: str, block: BlockResources) -> LaunchOccupancy:
    from ncuanalyze.modelling.launch_occupancy import LaunchOccupancy
    from ncuanalyze.modelling.occupancy import occupancy

    gpu, capability = _gpu(sizes.gpu)
    return LaunchOccupancy(
        name=f"{name} on {gpu}",
        launch_id="",
        compute_capability=capability,
        block=block,
        calculated=occupancy(capability, block),
        recorded={},
        recorded_pct=None,
        achieved_pct=None,
        issue_active_pct=None,
        cluster_size=0,
    )


def _gpu(name: str | None) -> tuple[str, tuple[int, int]]:
    if name is None:
        raise InvalidInput("no GPU is named", hint="add --gpu a100 or --gpu 8.0 (`ncuanalyze gpus` lists them)")
    if match := _CAPABILITY.match(name):
        return f"compute capability {name}", (int(match[1]), int(match[2]))
    from ncuanalyze.specs import spec_for_name

    spec = spec_for_name(name)
    return spec.name, spec.compute_capability


def _bytes(text: str | None) -> int:
    if text is None:
        return 0
    match = re.fullmatch(r"\s*(\d{1,12})\s*(|b|kb|kib|k)\s*", text.lower())
    if match is None:
        raise InvalidInput(f"{text!r} is no size", hint="bytes or KiB: 98304 or 96KB")
    return int(match[1]) * (1024 if match[2].startswith("k") else 1)


def _from_report(report: str, kernel: str | None) -> list[LaunchOccupancy]:
    from ncuanalyze.cli.reading import read_profile
    from ncuanalyze.modelling.launch_occupancy import launch_occupancy
    from ncuanalyze.pattern import Pattern

    profile = read_profile(report)
    pattern = Pattern(kernel or "", "--kernel")
    found = [
        item
        for launch in profile.launches
        if pattern.finds(launch.name, launch.demangled)
        if (item := launch_occupancy(launch, ncu_version=profile.settings.ncu_version)) is not None
    ]
    if not found:
        names = ", ".join(dict.fromkeys(launch.name for launch in profile.launches[:8]))
        raise InvalidInput(
            "no kernel with a launch configuration is found",
            hint=f"the report has {names}; --section LaunchStats collects the configuration",
        )
    return found
