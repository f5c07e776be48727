"""``ncuanalyze gpus [NAME]``: the published data of the GPUs that the package knows."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ncuanalyze.cli.output import write_output
from ncuanalyze.cli.usage import read_from_the_command_line

if TYPE_CHECKING:
    from ncuanalyze.specs import GpuSpec

FORMATS = ("text", "json", "csv")


@click.command("gpus")
@click.argument("name", required=False)
@click.option("-f", "--format", "form", type=click.Choice(FORMATS), default="text", show_default=True)
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write to a file.")
@click.option("--force", is_flag=True, help="Overwrite the output file.")
@click.option("--color/--no-color", default=None, help="Force or forbid colour.")
def command(name: str | None, form: str, output: Path | None, force: bool, color: bool | None) -> None:
    """Published rates, bandwidths and ridges of the GPUs that the package knows.

    Rates are dense, at boost clock. A report's own peaks stand before these.

    \b
    ncuanalyze gpus
    ncuanalyze gpus h200
    """
    from ncuanalyze.specs import all_specs, spec_for_name

    with read_from_the_command_line():
        specs = (spec_for_name(name),) if name else all_specs()
    if form == "json":
        import json

        from ncuanalyze.diagnosis.codec import to_dict

        text = json.dumps([to_dict(spec) for spec in specs], indent=1) + "\n"
    elif form == "csv":
        text = _csv(specs)
    else:
        text = _one(specs[0], color) if name else _all(specs, color)
    write_output(text, output, force=force)


def _all(specs: tuple[GpuSpec, ...], color: bool | None) -> str:
    from ncuanalyze.cli.console import as_text, plain_table
    from ncuanalyze.render.numbers import si

    rows = []
    for spec in specs:
        peak = spec.peak("fp16", accumulator="fp32", path="tensor")
        rows.append(
            (
                spec.key,
                "{}.{}".format(*spec.compute_capability),
                f"{spec.sm_count}",
                si(spec.peak("fp32").flop_per_s, "FLOP/s"),
                si(peak.flop_per_s, "FLOP/s"),
                si(spec.memory_bytes_per_s, "byte/s"),
                f"{spec.ridge_flop_per_byte(peak):.0f}",
            )
        )
    columns = ("GPU", "CC", "SMs", "FP32", "FP16 tensor", "memory", "ridge")
    note = "Dense rates, FP32 accumulate; ridge in FLOP/byte of FP16 tensor. `ncuanalyze gpus NAME` shows all."
    return as_text((plain_table(columns, rows), "", note), color=color)


def _one(spec: GpuSpec, color: bool | None) -> str:
    from ncuanalyze.cli.console import as_text, plain_table
    from ncuanalyze.render.numbers import si

    rows = [
        (
            peak.label,
            si(peak.flop_per_s, "OP/s" if peak.precision.startswith("int") else "FLOP/s"),
            f"{spec.ridge_flop_per_byte(peak):.1f}",
            f"{peak.flop_per_cycle_per_sm:g}",
            f"{peak.clock_hz / 1e6:.0f} MHz",
        )
        for peak in spec.peaks
    ]
    title = f"{spec.name}  CC {spec.compute_capability[0]}.{spec.compute_capability[1]}  {spec.architecture}"
    columns = ("rate (dense)", "peak", "ridge", "per cycle and SM", "clock")
    tail = [*_measured(spec), *_sources(spec)]
    return as_text((title, "", *_figures(spec), "", plain_table(columns, rows), "", *tail), color=color)


def _figures(spec: GpuSpec) -> list[str]:
    from ncuanalyze.modelling.sm_limits import sm_limits
    from ncuanalyze.render.numbers import si

    memory, l2 = spec.figures["memory_bytes"], spec.figures.get("l2_bytes")
    sm = sm_limits(spec.compute_capability)
    l2_text = f"L2 {l2.value / 2**20:.0f} MiB" if l2 else "L2 size not published"
    l2_rate = f", {si(spec.l2_bytes_per_s, 'byte/s')}" if spec.l2_bytes_per_s else ""
    return [
        f"{spec.sm_count} SMs, boost {spec.boost_clock_hz / 1e6:.0f} MHz",
        f"memory {memory.value / 1e9:.0f} GB {memory.conditions}, {si(spec.memory_bytes_per_s, 'byte/s')}",
        f"{l2_text}{l2_rate}",
        f"per SM: {sm.warps_per_sm} warps, {sm.blocks_per_sm} blocks, {sm.registers_per_sm:,} registers, "
        f"{sm.shared_bytes_per_sm // 1024} KiB shared ({sm.shared_bytes_per_block // 1024} per block)",
    ]


def _measured(spec: GpuSpec) -> list[str]:
    from ncuanalyze.render.numbers import si

    unit = {"byte/s": "byte/s", "FLOP/s": "FLOP/s"}
    lines = [
        f"measured: {item.name}: {si(item.value, unit[item.unit])}, {item.share_pct:g}% of {item.of}"
        for item in spec.measured
    ]
    return [*lines, ""] if lines else []


def _sources(spec: GpuSpec) -> list[str]:
    sources = [*(figure.source for figure in spec.figures.values()), *(peak.source for peak in spec.peaks)]
    return ["Sources:", *(f"- {source}" for source in dict.fromkeys(sources))]


def _csv(specs: tuple[GpuSpec, ...]) -> str:
    import csv
    import io

    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(
        (
            "gpu",
            "compute_capability",
            "sm_count",
            "memory_bytes_per_s",
            "precision",
            "path",
            "accumulator",
            "flop_per_s",
            "ridge_flop_per_byte",
            "conditions",
            "source",
        )
    )
    for spec in specs:
        for peak in spec.peaks:
            writer.writerow(
                (
                    spec.key,
                    "{}.{}".format(*spec.compute_capability),
                    spec.sm_count,
                    spec.memory_bytes_per_s,
                    peak.precision,
                    peak.path,
                    peak.accumulator,
                    peak.flop_per_s,
                    round(spec.ridge_flop_per_byte(peak), 3),
                    peak.conditions,
                    peak.source,
                )
            )
    return out.getvalue()
