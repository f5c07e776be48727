"""``ncuanalyze collect``: the ncu command for a program, and with --run its diagnosis."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import click

from ncuanalyze.cli.error_line import tell

_SET = re.compile(r"\w[\w.+-]*")


@click.command("collect", context_settings={"ignore_unknown_options": False, "allow_interspersed_args": False})
@click.argument("program", nargs=-1, required=True, type=click.UNPROCESSED, metavar="-- PROGRAM [ARGS]...")
@click.option("--run", "run_it", is_flag=True, help="Run the command, then diagnose the report.")
@click.option("--quick", is_flag=True, help="Only bound, limiter and Tensor Core roofline: fewer passes.")
@click.option("--set", "section_set", metavar="NAME", help="Another section set of ncu, such as full.")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), help="The report to write.  [default: PROGRAM.ncu-rep]"
)
@click.option("--force", is_flag=True, help="Overwrite the report.")
@click.option("-k", "--kernel", metavar="REGEX", help="Only kernels whose name matches.")
@click.option("--launch-skip", type=click.IntRange(min=0), default=0, metavar="N", help="Skip the first N launches.")
@click.option(
    "--launch-count", type=click.IntRange(min=1), metavar="N", help="Profile N launches, then stop profiling."
)
@click.option("--nvtx", is_flag=True, help="Record NVTX ranges.")
@click.option("--nvtx-include", multiple=True, metavar="EXPR", help="Only launches inside this NVTX range (RANGE/).")
@click.option(
    "--clock",
    type=click.Choice(["base", "boost", "force-boost", "none"]),
    default="base",
    show_default=True,
    help="Clock control; boost needs ncu 2025.4.",
)
@click.option(
    "--cache",
    type=click.Choice(["all", "none"]),
    default="all",
    show_default=True,
    help="Flush caches before each pass.",
)
@click.option(
    "--replay",
    type=click.Choice(["kernel", "application", "range", "app-range"]),
    default="kernel",
    show_default=True,
    help="How passes are repeated.",
)
@click.option("--ncu", metavar="PATH", help="The ncu to use.  [default: the one on the PATH]")
@click.option(
    "--stock-sections",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    metavar="DIR",
    help="NVIDIA's section folder.",
)
@click.option("--ncu-option", "extra", multiple=True, metavar="WORD", help="One more word for ncu's command line.")
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    metavar="SECONDS",
    help="With --run: end a run that hangs.",
)
def command(
    program: tuple[str, ...],
    run_it: bool,
    quick: bool,
    section_set: str | None,
    output: Path | None,
    timeout: float | None,
    ncu: str | None,
    stock_sections: Path | None,
    **choices: Any,
) -> None:
    """Print the ncu command that collects what the diagnosis needs for PROGRAM, or run it.

    The command goes to standard output, advice to standard error.

    \b
    ncuanalyze collect -k matmul --launch-skip 3 --launch-count 1 -- python train.py
    ncuanalyze collect --run --quick -- ./a.out
    """
    from ncuanalyze.collect import FULL_SET, QUICK_SET, Request, advice_for, build_command, find_installation

    if quick and section_set:
        raise click.UsageError("--quick and --set exclude each other")
    _check_words(section_set, choices["kernel"])
    installation = find_installation(ncu, stock_sections, required=run_it, timeout_s=timeout)
    report = output or Path(f"{_stem(program)}.ncu-rep")
    request = Request(
        program=program,
        report=report,
        section_set=section_set or (QUICK_SET if quick else FULL_SET),
        **choices,
    )
    for note in advice_for(request, installation):
        tell(f"Note: {note}")
    words = build_command(request, installation)
    click.echo(shlex.join(words), err=run_it)
    if run_it:
        _run_and_diagnose(words, report, force=request.force, timeout_s=timeout)


def _check_words(section_set: str | None, kernel: str | None) -> None:
    """Raise InvalidOption for what ncu would refuse, or look for in vain, once the program runs."""
    from ncuanalyze.errors import InvalidOption
    from ncuanalyze.pattern import Pattern

    if section_set is not None and not _SET.fullmatch(section_set):
        raise InvalidOption(f"--set: {section_set!r} is no name of a set", hint="`ncu --list-sets` names them")
    if kernel is not None:
        Pattern(kernel.removeprefix("regex:"), "--kernel")


def _stem(program: tuple[str, ...]) -> str:
    """The script of an interpreter, else the program."""
    script = next((word for word in program[1:] if word.endswith(".py")), program[0])
    return Path(script).stem or "report"


def _run_and_diagnose(words: tuple[str, ...], report: Path, *, force: bool, timeout_s: float | None) -> None:
    from ncuanalyze.cli.main import group
    from ncuanalyze.collect import collect_report
    from ncuanalyze.errors import InvalidInput

    if report.exists() and not force:
        raise InvalidInput(f"{report} exists", hint="Give another name with -o, or --force to overwrite it.")
    written = collect_report(words, report, timeout_s=timeout_s, tell=tell)
    group.main(args=["diagnose", str(written)], prog_name="ncuanalyze", standalone_mode=False)
