"""``ncuanalyze metrics``: any metric of a report as a table."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ncuanalyze.cli.error_line import tell

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ncuanalyze.profile import Profile

FORMATS = ("text", "csv", "json", "parquet")


@click.command("metrics")
@click.argument("report", metavar="REPORT")
@click.option("-m", "--metric", multiple=True, metavar="REGEX", help="Only metrics whose name matches.")
@click.option("-k", "--kernel", metavar="REGEX", help="Only kernels whose name matches.")
@click.option("-f", "--format", "form", type=click.Choice(FORMATS), default="text", show_default=True)
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write to a file instead of standard output.")
@click.option("--force", is_flag=True, help="Overwrite the output file.")
def command(
    report: str, metric: tuple[str, ...], kernel: str | None, form: str, output: Path | None, force: bool
) -> None:
    """Print any metric of a report, in base units: ns, byte, byte/s, hz, cycle, %.

    REGEX is looked for anywhere in the metric name, or in the label that ncu prints for it (Duration).
    CSV and Parquet have one row a launch; Parquet needs the extra `parquet`.

    \b
    ncuanalyze metrics report.ncu-rep --metric 'dram__bytes.*sum$'
    ncuanalyze metrics report.ncu-rep -k matmul -m stalled --format csv
    """
    from ncuanalyze.cli import metric_tables
    from ncuanalyze.cli.metric_choice import choose_launches, choose_metrics
    from ncuanalyze.cli.output import write_output
    from ncuanalyze.cli.reading import read_profile

    profile = choose_launches(read_profile(report), kernel)
    for warning in profile.warnings:
        tell(f"Warning: {warning}")
    names = choose_metrics(profile, metric)
    if form == "parquet":
        _write_parquet(profile, names, output, force=force)
    else:
        write_output(metric_tables.TABLES[form](profile.launches, names), output, force=force)


def _write_parquet(profile: Profile, names: Sequence[str], output: Path | None, *, force: bool) -> None:
    from ncuanalyze.cli.metric_tables import parquet
    from ncuanalyze.cli.output import check_target
    from ncuanalyze.errors import InvalidOption

    if output is None:
        raise InvalidOption("Parquet is no text for the terminal", hint="Name a file: -o metrics.parquet")
    check_target(output, force=force)
    parquet(profile, names, output)
    tell(f"wrote {output}")
