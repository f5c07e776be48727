"""``ncuanalyze sections``: our section files, where they are, and a check for yours."""

from __future__ import annotations

from pathlib import Path

import click

from ncuanalyze.cli.error_line import printable

EXIT_BAD_FILE = 1


@click.command("sections")
@click.argument("action", required=False, type=click.Choice(["list"]))
@click.option("--path", "show_path", is_flag=True, help="Print the folder of our section files, for scripts.")
@click.option(
    "--check",
    "to_check",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Check a section file (may repeat).",
)
@click.option(
    "--chip",
    "chips",
    multiple=True,
    metavar="CHIP",
    help="With --check: only the metrics of this chip, such as gh100.",
)
def command(action: str | None, show_path: bool, to_check: tuple[Path, ...], chips: tuple[str, ...]) -> None:
    """List our section files for `ncu --section-folder`, or check one.

    ncu drops a file with a syntax error or an unknown enum, and shows `no data` for an unknown metric or a
    bad expression, without a word. --check says so, with the line.

    \b
    ncu --section-folder "$(ncuanalyze sections --path)" --set ncuanalyze-quick ./a.out
    ncuanalyze sections --check mine.section
    """
    from ncuanalyze.collect import our_sections

    if to_check:
        _check(to_check, chips)
    elif show_path and action is None:
        click.echo(our_sections())
    else:
        _list(our_sections())


def _check(paths: tuple[Path, ...], chips: tuple[str, ...]) -> None:
    from ncuanalyze.section_lint import Level, check_file

    bad = False
    for path in paths:
        problems = check_file(path, chips)
        for problem in problems:
            click.echo(printable(f"{path}:{problem}"))
        bad = bad or any(problem.level is Level.ERROR for problem in problems)
        if not problems:
            click.echo(printable(f"{path}: no problems"))
    if bad:
        raise click.exceptions.Exit(EXIT_BAD_FILE)


def _list(folder: Path) -> None:
    from ncuanalyze.section_lint import read_section

    for path in sorted(folder.glob("*.section")):
        section = read_section(path)
        click.echo(f"{section.identifier:<24} {section.description}")
        click.echo(f"{'':<24} sets: {', '.join(section.sets) or 'none'}")
    click.echo(f"\nFolder: {folder}")
