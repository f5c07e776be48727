"""``ncuanalyze history``: diagnoses kept by commit, their trend, and where it changed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ncuanalyze.cli.error_line import tell
from ncuanalyze.cli.saving import write as write_output
from ncuanalyze.cli.storable import storable_word
from ncuanalyze.cli.usage import read_from_the_command_line
from ncuanalyze.errors import InvalidInput
from ncuanalyze.render.trend import TREND_FORMATS, render_trend

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ncuanalyze.history import KernelRow

COMMIT_VARIABLES = ("NCUANALYZE_COMMIT", "GITHUB_SHA", "CI_COMMIT_SHA")
BRANCH_VARIABLES = ("NCUANALYZE_BRANCH", "GITHUB_REF_NAME", "CI_COMMIT_BRANCH")


@click.group("history")
def command() -> None:
    """Keep diagnoses by commit and kernel, and see when a kernel changed.

    DB is one SQLite file; `ncuanalyze compare DB NEW` compares with the median of its last runs.

    \b
    ncuanalyze history add history.sqlite report.ncu-rep --commit abc123 --branch main
    ncuanalyze history show history.sqlite
    ncuanalyze history trend history.sqlite --branch main --format html -o trend.html
    """


@command.command("add")
@click.argument("database", metavar="DB", type=click.Path(path_type=Path))
@click.argument("reports", nargs=-1, required=True, metavar="REPORT...")
@click.option(
    "--commit", callback=storable_word, envvar=COMMIT_VARIABLES, required=True, help="The commit that was profiled."
)
@click.option(
    "--branch", callback=storable_word, envvar=BRANCH_VARIABLES, default="main", show_default=True, help="Its branch."
)
@click.option("--at", metavar="TIME", help="When, in ISO 8601 (default now).")
def add(database: Path, reports: tuple[str, ...], commit: str, branch: str, at: str | None) -> None:
    """Add reports (files or folders) to the history; it is made where there is none."""
    from ncuanalyze.cli.side import Picks, read_side
    from ncuanalyze.history import Run, add_run, timestamp

    with read_from_the_command_line():
        time = timestamp(at)
    for report in reports:
        for diagnosis in read_side(report, Picks()):
            added = add_run(database, Run(commit=commit, branch=branch, at=time, diagnosis=diagnosis))
            said = "added" if added else "already there:"
            tell(f"{said} {diagnosis.source.file}, {len(diagnosis.kernels)} kernels, {commit[:12]}")


@command.command("show")
@click.argument("database", metavar="DB", type=click.Path(path_type=Path))
@click.option("--branch", callback=storable_word, metavar="NAME", help="Only runs of this branch.")
@click.option("--last", type=click.IntRange(min=1), default=20, show_default=True, help="The last N runs.")
@click.option("-k", "--kernel", metavar="REGEX", help="Kernels whose name matches, instead of whole runs.")
def show(database: Path, branch: str | None, last: int, kernel: str | None) -> None:
    """List the last runs, or kernels of them."""
    from ncuanalyze.history import kernel_rows, run_rows
    from ncuanalyze.render.trend_text import render_kernels, render_runs

    if kernel is None:
        text = render_runs(run_rows(database, branch=branch, last=last))
    else:
        rows = kernel_rows(database, branch=branch, last=last)
        text = render_kernels(_named(rows, kernel))
    write_output(text, None, overwrite=False)


@command.command("trend")
@click.argument("database", metavar="DB", type=click.Path(path_type=Path))
@click.option("--branch", callback=storable_word, metavar="NAME", help="Only runs of this branch.")
@click.option("--last", type=click.IntRange(min=1), default=200, show_default=True, help="The last N runs.")
@click.option("-k", "--kernel", metavar="REGEX", help="Only kernels whose name matches.")
@click.option("--threshold", type=click.FloatRange(min=0), metavar="PCT", help="The change that counts (default 3).")
@click.option("-f", "--format", "form", type=click.Choice(list(TREND_FORMATS)), default="text", show_default=True)
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write to a file instead of standard output.")
@click.option("--overwrite", is_flag=True, help="Overwrite the output file.")
def trend(
    database: Path,
    branch: str | None,
    last: int,
    kernel: str | None,
    threshold: float | None,
    form: str,
    output: Path | None,
    overwrite: bool,
) -> None:
    """Each kernel's time over the runs, and the commits at which its level changed."""
    from ncuanalyze.history import kernel_rows, trend_of

    rows = kernel_rows(database, branch=branch, last=last)
    if kernel is not None:
        rows = _named(rows, kernel)
    if not rows:
        raise InvalidInput("the history holds no such run", hint="ncuanalyze history show DB lists what it holds")
    found = trend_of(rows, branch=branch or "", threshold_pct=threshold)
    write_output(render_trend(found, form), output, overwrite=overwrite)


def _named(rows: Sequence[KernelRow], kernel: str) -> list[KernelRow]:
    from ncuanalyze.pattern import Pattern

    pattern = Pattern(kernel, "--kernel")
    return [row for row in rows if pattern.finds(row.name)]
