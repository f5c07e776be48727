"""``ncuanalyze roofline``: the roofline of each kernel as text, or as a picture for slides and papers."""

from __future__ import annotations

from pathlib import Path

import click

from ncuanalyze.cli.error_line import tell

THEMES = ("auto", "light", "dark")


@click.command("roofline")
@click.argument("report", metavar="REPORT")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    help="A picture: FILE.svg, .png or .pdf (one a kernel).",
)
@click.option("--force", is_flag=True, help="Overwrite the output file.")
@click.option("-k", "--kernel", metavar="REGEX", help="Only kernels whose name matches.")
@click.option("--nvtx", metavar="RANGE", help="Only launches inside this NVTX range.")
@click.option("--launch", type=int, metavar="N", help="Only the launch with this ID.")
@click.option("--top", type=click.IntRange(min=1), metavar="N", help="Only the N slowest kernels.")
@click.option("--ceilings", type=click.Path(path_type=Path), metavar="FILE", help="Measured ceilings to draw.")
@click.option("--workload", multiple=True, metavar="SPEC", help="The operator: 'KERNEL=gemm m=.. n=.. k=..'.")
@click.option("--theme", type=click.Choice(THEMES), default="auto", show_default=True, help="Colours of the picture.")
def command(report: str, output: Path | None, force: bool, theme: str, **choices: object) -> None:
    """Draw the hierarchical roofline of each kernel: memory and compute roofs, and where the kernel stands.

    Without -o it prints roofs, formulas and points. PNG and PDF need the extra `charts`.

    \b
    ncuanalyze roofline report.ncu-rep
    ncuanalyze roofline report.ncu-rep --top 1 -o roofline.svg
    """
    from ncuanalyze.cli.gather import gather
    from ncuanalyze.cli.rooflines import draw, with_shipped_ceilings
    from ncuanalyze.render.roofline_text import roofline_text

    diagnosis = gather([report], "text", choices)
    kernels = with_shipped_ceilings(diagnosis) if choices["ceilings"] is None else diagnosis.kernels
    if output is None:
        click.echo("\n".join(map(roofline_text, kernels)))
        return
    for path in draw(kernels, output, theme=theme, force=force):
        tell(f"wrote {path}")
