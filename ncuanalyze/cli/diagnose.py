"""``ncuanalyze REPORT...``: the diagnosis of one or several reports."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ncuanalyze.cli.error_line import tell
from ncuanalyze.cli.output import write_output
from ncuanalyze.render import FORMATS

if TYPE_CHECKING:
    from ncuanalyze.diagnosis import Diagnosis

LEVELS = ("none", "info", "warning", "error")


@click.command("diagnose")
@click.argument("reports", nargs=-1, required=True, metavar="REPORT...")
@click.option("-f", "--format", "form", type=click.Choice(list(FORMATS)), default="text", show_default=True)
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write to a file instead of standard output.")
@click.option("--force", "--overwrite", "force", is_flag=True, help="Overwrite the output file.")
@click.option("-k", "--kernel", metavar="REGEX", help="Only kernels whose name matches.")
@click.option("--nvtx", metavar="RANGE", help="Only launches inside this NVTX range.")
@click.option("--launch", type=int, metavar="N", help="Only the launch with this ID.")
@click.option("--top", type=click.IntRange(min=1), metavar="N", help="Only the N slowest kernels.")
@click.option("--rules", "rules_folder", type=click.Path(path_type=Path), metavar="DIR", help="Add your own rules.")
@click.option("--thresholds", type=click.Path(path_type=Path), metavar="FILE", help="Your own thresholds (TOML).")
@click.option("--ceilings", type=click.Path(path_type=Path), metavar="FILE", help="Measured ceilings to draw.")
@click.option(
    "--workload",
    multiple=True,
    metavar="SPEC",
    help="The operator: 'KERNEL=gemm m=.. n=.. k=..', or a TOML file.",
)
@click.option("--source-root", type=click.Path(path_type=Path), metavar="DIR", help="Read source files below here.")
@click.option("--fail-on", type=click.Choice(LEVELS), default="none", help="Exit 3 on a finding of this level.")
@click.option("--color/--no-color", default=None, help="Force or forbid colour.")
@click.option("-v", "--verbose", is_flag=True, help="Every finding, stall and missing counter.")
def command(reports: tuple[str, ...], form: str, output: Path | None, **choices: object) -> None:
    """Say what bounds each kernel, how far it is from the roof, and which change pays most.

    REPORT is an .ncu-rep file, an `ncu --csv` export, console text, a saved diagnosis (JSON), or - for
    standard input.

    \b
    ncuanalyze report.ncu-rep
    ncuanalyze report.ncu-rep --format html -o report.html
    ncu --csv --page raw --import report.ncu-rep | ncuanalyze -
    """
    from ncuanalyze.cli.gather import gather

    diagnosis = gather(reports, form, choices)
    color = choices["color"]
    text = _rendered(diagnosis, form, bool(choices["verbose"]), color if isinstance(color, bool) else None, output)
    write_output(text, output, force=bool(choices["force"]))
    _gate(diagnosis, str(choices["fail_on"]))


def _rendered(diagnosis: Diagnosis, form: str, verbose: bool, color: bool | None, output: Path | None) -> str:
    if form != "text":
        from ncuanalyze.render import render

        return render(diagnosis, form)
    from ncuanalyze.render.terminal import Style
    from ncuanalyze.render.text import render_text

    return render_text(diagnosis, Style.of_terminal(color=color, verbose=verbose, to_file=output is not None))


def _gate(diagnosis: Diagnosis, level: str) -> None:
    if level == "none":
        return
    from ncuanalyze.cli.main import EXIT_GATE

    at_least = LEVELS[LEVELS.index(level) :]
    everything = [f for kernel in diagnosis.kernels for f in kernel.findings] + list(diagnosis.findings)
    loud = [f for f in everything if f.kind == "cause" and f.severity.value in at_least]
    if loud:
        tell(f"{len(loud)} findings at or above {level}")
        raise click.exceptions.Exit(EXIT_GATE)
