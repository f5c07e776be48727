"""The ``ncuanalyze`` command: picks the subcommand and turns our errors into one line with a hint."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from pathlib import Path

import click

from ncuanalyze.cli.error_line import error_line, printable, usage_line
from ncuanalyze.cli.memory_limit import MEMORY_HINT, TOO_LITTLE_MEMORY
from ncuanalyze.cli.split import SPLIT
from ncuanalyze.cli.whole_writes import drop_what_is_left, whole_writes
from ncuanalyze.errors import InvalidOption, NcuAnalyzeError
from ncuanalyze.system_errors import hint_of, place_of
from ncuanalyze.version import __version__

COMMANDS = {
    "diagnose": "What bounds each kernel, and which change pays most (the default command).",
    "compare": "Before and after: what became faster or slower, whether fairly, and why.",
    "check": "A report against a budget; exit 3 where it is broken.",
    "history": "Diagnoses kept by commit, their trend, and where it changed.",
    "batch": "Thousands of reports to one dataset of kernels.",
    "query": "Questions to a dataset of kernels: slowest, moved, causes, headroom, or your own SQL.",
    "metrics": "Any metric of a report as a table.",
    "rules": "The rules, or one explained.",
    "roofline": "The roofline of each kernel: text, SVG, PNG or PDF.",
    "calibrate": "Measured ceilings of a GPU, from saturating kernels.",
    "model": "Ceilings, floor time and worth of an operator before it is written.",
    "occupancy": "Resident blocks and warps, what limits them, and how to reach more.",
    "collect": "The ncu command that measures what the diagnosis needs, or its run.",
    "sections": "Our section files for ncu, and a check for yours.",
    "gpus": "The GPUs of the package with their rates and ridges.",
}
EXIT_ERROR = 1
EXIT_GATE = 3


class LazyGroup(click.Group):
    """Imports a subcommand's module only when it runs; a first word that is no command is a report."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command = import_module(f"ncuanalyze.cli.{cmd_name}").command
        return command if isinstance(command, click.Command) else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        own = {"-h", "--help", "--version"}
        if args and args[0] not in COMMANDS and args[0] not in own:
            args = ["diagnose", *args]
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            raise _printable(error) from None

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except click.UsageError as error:
            raise _printable(error) from None
        except NcuAnalyzeError as error:
            line = usage_line if isinstance(error, InvalidOption) else error_line
            raise line(str(error), error.hint) from error
        except BrokenPipeError:
            raise
        except OSError as error:
            hint = hint_of(error, "check the disk and the permissions.")
            raise error_line(f"{place_of(error)}{error.strerror or error}", hint) from error


def _printable(error: click.UsageError) -> click.UsageError:
    """The error without what the name of a file, which a shell put on the command line, may hold."""
    said = error.format_message()
    return error if printable(said) == said else click.UsageError(printable(said), error.ctx)


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]}, no_args_is_help=True)
@click.version_option(__version__, prog_name="ncuanalyze")
def group() -> None:
    """Read an Nsight Compute report and say what bounds each kernel.

    \b
    ncuanalyze report.ncu-rep
    ncuanalyze report.ncu-rep --format html -o report.html

    Options for a report: `ncuanalyze diagnose --help`.
    """


def main() -> None:
    """Run the command that the arguments name, and end the process as it ends."""
    if sys.stdout is None:
        sys.exit("Error: standard output is closed")
    sys.stdout = whole_writes(sys.stdout)
    if sys.stderr is None:
        sys.stderr = Path(os.devnull).open("w")  # noqa: SIM115 (for as long as the process lives)
    SPLIT.is_on = hasattr(os, "fork")
    try:
        _run()
    except SystemExit as end:
        drop_what_is_left(sys.stdout)
        SPLIT.leave(end)
        raise


def _run() -> None:
    try:
        group(prog_name="ncuanalyze")
    except BrokenPipeError:
        sys.exit(EXIT_ERROR)
    except MemoryError:
        SPLIT.out_of_memory()
        sys.exit(f"Error: {TOO_LITTLE_MEMORY}\nHint: {MEMORY_HINT}")
    except OSError as error:
        sys.exit(f"Error: {error.strerror or error}\nHint: {hint_of(error, 'check where the output goes.')}")
