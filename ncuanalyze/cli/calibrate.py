"""``ncuanalyze calibrate``: ceilings of a GPU from reports of saturating kernels."""

from __future__ import annotations

from pathlib import Path

import click

from ncuanalyze.cli.error_line import tell


@click.command("calibrate")
@click.argument("reports", nargs=-1, required=True, metavar="REPORT...")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write to a file instead of standard output.")
@click.option("--force", is_flag=True, help="Overwrite the output file.")
def command(reports: tuple[str, ...], output: Path | None, force: bool) -> None:
    """Measure what a GPU sustains of each roof.

    REPORT holds saturating kernels: a copy, an L2-resident read, GEMMs of each precision. The file written
    goes to --ceilings of other commands, which draw it beside the theoretical roofs.

    \b
    ncuanalyze calibrate copy.ncu-rep l2.ncu-rep gemm.ncu-rep -o ceilings.toml
    """
    from ncuanalyze.analysis.calibrate import calibrate
    from ncuanalyze.cli.output import write_output
    from ncuanalyze.cli.reading import read_profile

    result = calibrate([read_profile(report) for report in reports])
    for reason in result.unused:
        tell(f"not used: {reason}")
    write_output(result.ceilings.to_toml(), output, force=force)
