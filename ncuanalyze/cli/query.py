"""``ncuanalyze query``: questions to a dataset of kernels."""

from __future__ import annotations

import math
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ncuanalyze.cli.ignored_options import given_options
from ncuanalyze.cli.output import check_target
from ncuanalyze.errors import InvalidOption

if TYPE_CHECKING:
    from ncuanalyze.query import Choices, Results

FORMATS = ("text", "csv", "json")
QUESTIONS = ("slowest", "moved", "causes", "headroom")

_OPTIONS = {
    "gpu": ("gpu",),
    "kernel": ("kernel",),
    "since": ("since",),
    "teams": ("by", "prefixes"),
    "threshold_pct": ("threshold",),
    "top": ("top",),
}
"""The parameters of each choice."""


@click.command("query")
@click.argument("dataset", metavar="DATASET", type=click.Path(path_type=Path))
@click.argument("question", required=False, type=click.Choice(QUESTIONS), metavar="[QUESTION]")
@click.option("--sql", metavar="SQL", help="Your own question, to the table kernels.")
@click.option("--since", metavar="DATE", help="For moved: the day from which launches count as new, as 2026-03-01.")
@click.option(
    "--threshold",
    type=click.FloatRange(min=0),
    callback=lambda _context, _option, value: finite(value),
    default=3,
    show_default=True,
    metavar="PCT",
    help="For moved: the change that counts.",
)
@click.option(
    "--by",
    type=click.Choice(["name", "nvtx", "folder"]),
    default="name",
    show_default=True,
    help="What names the team.",
)
@click.option(
    "--prefix", "prefixes", multiple=True, metavar="TEXT", help="A team's prefix; may be given several times."
)
@click.option("--gpu", metavar="TEXT", help="Only GPUs whose name has this.")
@click.option("-k", "--kernel", metavar="REGEX", help="Only kernels whose name matches.")
@click.option("--top", type=click.IntRange(min=1), default=10, show_default=True, metavar="N", help="The first N.")
@click.option("-f", "--format", "form", type=click.Choice(FORMATS), default="text", show_default=True)
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write to a file instead of standard output.")
@click.option("--force", is_flag=True, help="Overwrite the output file.")
@click.option("--color/--no-color", default=None, help="Force or forbid colour.")
def command(
    dataset: Path, question: str | None, sql: str | None, form: str, output: Path | None, force: bool, **choices: object
) -> None:
    """Ask a dataset that `ncuanalyze batch` wrote, or a folder of datasets as one.

    QUESTION is slowest (kernels of each GPU), moved (since a date), causes (most common by team) or headroom (what
    would save most). Without one, give your own with --sql; the table is called kernels, and nothing else is in reach.

    \b
    ncuanalyze query dataset slowest --top 5
    ncuanalyze query dataset moved --since 2026-03-01
    ncuanalyze query dataset causes --by folder
    ncuanalyze query dataset --sql "SELECT bound, count(*) FROM kernels GROUP BY bound"
    """
    from ncuanalyze.cli.query_output import write_answer

    refuse_ignored(click.get_current_context(), question, sql)
    if output is not None:
        check_target(output, force=force)
    color = choices["color"]
    with _asked(dataset, question, sql, choices) as results:
        write_answer(results, form, output, color=color if isinstance(color, bool) else None)


def finite(percentage: float) -> float:
    """The number; a usage error for NaN and infinities, which pass every range."""
    if not math.isfinite(percentage):
        raise click.BadParameter(f"{percentage} is no percentage.")
    return percentage


def refuse_ignored(context: click.Context, question: str | None, sql: str | None) -> None:
    """A usage error for an option that was given and would change nothing."""
    from ncuanalyze.query import questions

    ignored = set(_OPTIONS) if sql is not None else questions()[question].ignores if question is not None else set()
    for choice in sorted(ignored):
        for option in given_options(context, _OPTIONS[choice]):
            raise click.UsageError(f"{question or '--sql'} takes no {option}.")


def _asked(
    dataset: Path, question: str | None, sql: str | None, choices: dict[str, object]
) -> AbstractContextManager[Results]:
    from ncuanalyze.query import asked, asked_sql, has_statement, questions

    if (question is None) == (sql is None):
        names = ", ".join(QUESTIONS)
        raise InvalidOption("give a question or --sql, one of the two", hint=f"the questions are {names}")
    if sql is not None:
        if not has_statement(sql):
            raise click.UsageError("--sql holds no statement; write one, as SELECT count(*) FROM kernels.")
        return asked_sql(dataset, sql, times_as_text=True)
    chosen = questions()[str(question)]
    if chosen.needs_date and choices["since"] is None:
        raise click.UsageError(f"{question} needs a date; add --since, as in --since 2026-03-01.")
    return asked(dataset, chosen, _choices(choices))


def _choices(choices: dict[str, object]) -> Choices:
    from ncuanalyze.query import Choices, Teams

    prefixes, since, gpu, kernel = (choices[name] for name in ("prefixes", "since", "gpu", "kernel"))
    return Choices(
        top=int(str(choices["top"])),
        gpu=gpu if isinstance(gpu, str) else None,
        kernel=kernel if isinstance(kernel, str) else None,
        since=parse_date(since) if isinstance(since, str) else None,
        threshold_pct=float(str(choices["threshold"])),
        teams=Teams(by=str(choices["by"]), prefixes=prefixes if isinstance(prefixes, tuple) else ()),
    )


def parse_date(text: str) -> datetime:
    """A day or a moment in ISO 8601; UTC where no zone is given. Raises InvalidInput."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise InvalidOption(
            f"--since: {text!r} is no date", hint="Write it as 2026-03-01 or 2026-03-01T18:00."
        ) from error
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
