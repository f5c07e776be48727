"""``ncuanalyze occupancy``: how many blocks fit on an SM, what limits them, and how to reach more."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ncuanalyze.cli.output import write_output
from ncuanalyze.errors import InvalidInput

if TYPE_CHECKING:
    from ncuanalyze.modelling.launch_occupancy import LaunchOccupancy
    from ncuanalyze.modelling.occupancy import BlockResources
    from ncuanalyze.modelling.triton_tile import TritonTile

FORMATS = ("text", "csv", "json", "svg")
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
@click.option("--regs", "registers", type=int, help="Registers per thread.")
@click.option("--smem", "shared", metavar="BYTES", help="Dynamic shared memory per block: 98304 or 96KB.")
@click.option("--static-smem", "static_shared", metavar="BYTES", help="Static shared memory per block.")
@click.option("--barriers", type=click.IntRange(0, 64), default=0, help="Named barriers per block (CC 9.0 on).")
@click.option("--triton", is_flag=True, help="Take threads and shared memory from block_m= block_n= ...")
@click.option("--reach", type=float, metavar="PCT", help="Show the smallest changes that reach this occupancy.")
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
    if triton:
        tile = _tile(words)
        found = [_from_tile(tile, sizes)]
    else:
        tile = None
        found = _from_report(words, kernel) if words else [_from_sizes(sizes)]
    write_output(_written(found, tile, reach, form, color), output, force=force)


def _written(
    found: list[LaunchOccupancy], tile: TritonTile | None, reach: float | None, form: str, color: bool | None
) -> str:
    if form == "text":
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
    match = re.fullmatch(r"\s*(\d+)\s*(|b|kb|kib|k)\s*", text.lower())
    if match is None:
        raise InvalidInput(f"{text!r} is no size", hint="bytes or KiB: 98304 or 96KB")
    return int(match[1]) * (1024 if match[2].startswith("k") else 1)


def _from_report(words: tuple[str, ...], kernel: str | None) -> list[LaunchOccupancy]:
    if len(words) > 1 or "=" in words[0]:
        raise InvalidInput("one report is expected", hint="name=value pairs belong to --triton")
    from ncuanalyze.cli.reading import read_profile
    from ncuanalyze.modelling.launch_occupancy import launch_occupancy
    from ncuanalyze.pattern import Pattern

    profile = read_profile(words[0])
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
