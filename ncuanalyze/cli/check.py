"""``ncuanalyze check REPORT --budget FILE``: a report against a budget, for CI."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ncuanalyze.cli.saving import write as write_output
from ncuanalyze.render.check import CHECK_FORMATS, render_check

if TYPE_CHECKING:
    from ncuanalyze.diagnosis import Diagnosis
    from ncuanalyze.gate import CheckResult


@click.command("check")
@click.argument("report", required=False)
@click.option("-b", "--budget", type=click.Path(path_type=Path), metavar="FILE", help="The budget (TOML).")
@click.option("--write", is_flag=True, help="Propose a budget from this report instead of checking it.")
@click.option("--names", is_flag=True, help="List what an assertion may name, and stop.")
@click.option("-f", "--format", "form", type=click.Choice(list(CHECK_FORMATS)), default="text", show_default=True)
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write to a file instead of standard output.")
@click.option("--save", multiple=True, metavar="FORMAT=FILE", help="Write a further format to a file (repeatable).")
@click.option("--overwrite", is_flag=True, help="Overwrite output files.")
@click.option("--advisory", is_flag=True, help="Report failures but exit 0.")
@click.option("-k", "--kernel", metavar="REGEX", help="Only kernels whose name matches.")
@click.option("--nvtx", metavar="RANGE", help="Only launches inside this NVTX range.")
@click.option("--source-root", type=click.Path(path_type=Path), metavar="DIR", help="Name source files from here.")
@click.option("--color/--no-color", default=None, help="Force or forbid colour.")
@click.option("-v", "--verbose", is_flag=True, help="Show what passed as well.")
def command(report: str | None, budget: Path | None, write: bool, names: bool, **choices: object) -> None:
    """Check a report against a budget; exit 3 where an assertion fails.

    REPORT is a report, an `ncu --csv` export, a saved diagnosis, or a folder of them.

    \b
    ncuanalyze check good.ncu-rep --write -o budgets.toml
    ncuanalyze check new.ncu-rep --budget budgets.toml
    """
    output = choices["output"] if isinstance(choices["output"], Path) else None
    if names:
        write_output(_names(), output, overwrite=bool(choices["overwrite"]))
        return
    if report is None or (budget is None) != write:
        raise click.UsageError("give a REPORT and either --budget FILE or --write")
    diagnosis = _diagnosis(report, choices)
    if budget is None:
        from ncuanalyze.gate import propose

        write_output(propose(diagnosis), output, overwrite=bool(choices["overwrite"]))
        return
    _check(diagnosis, budget, output, choices)


def _check(diagnosis: Diagnosis, budget: Path, output: Path | None, choices: dict[str, object]) -> None:
    from ncuanalyze.cli.main import EXIT_GATE
    from ncuanalyze.cli.saving import parse_saves, save_all
    from ncuanalyze.cli.source_names import named_from
    from ncuanalyze.gate import check, read_budget
    from ncuanalyze.ruleset import load_rules

    save, root, overwrite = choices["save"], choices["source_root"], bool(choices["overwrite"])
    saves = parse_saves(save if isinstance(save, tuple) else (), CHECK_FORMATS)
    ids = [rule.id for rule in load_rules().rules]
    result = check(diagnosis, read_budget(budget), advisory=bool(choices["advisory"]), finding_ids=ids)
    if isinstance(root, Path):
        result = named_from(root, result)
    write_output(_rendered(result, output, choices), output, overwrite=overwrite)
    save_all(saves, lambda kind: render_check(result, kind), overwrite=overwrite)
    if not result.passed:
        raise click.exceptions.Exit(EXIT_GATE)


def _diagnosis(report: str, choices: dict[str, object]) -> Diagnosis:
    """The report; the files of a folder as one, since a budget asks about kernels wherever they stand."""
    from ncuanalyze.cli.side import Picks, read_side

    kernel, nvtx = choices["kernel"], choices["nvtx"]
    picks = Picks(
        kernel=kernel if isinstance(kernel, str) else None,
        nvtx=nvtx if isinstance(nvtx, str) else None,
        all_metrics=True,
    )
    found = read_side(report, picks)
    if len(found) == 1:
        return found[0]
    kernels = tuple(kernel for diagnosis in found for kernel in diagnosis.kernels)
    return replace(found[0], kernels=kernels, source=replace(found[0].source, file=Path(report).name))


def _rendered(result: CheckResult, output: Path | None, choices: dict[str, object]) -> str:
    form, color = str(choices["form"]), choices["color"]
    if form != "text":
        return render_check(result, form)
    from ncuanalyze.render.check_text import render_text
    from ncuanalyze.render.terminal import Style

    chosen = color if isinstance(color, bool) else None
    verbose = bool(choices["verbose"])
    return render_text(result, Style.of_terminal(color=chosen, verbose=verbose, to_file=output is not None))


def _names() -> str:
    from ncuanalyze.gate import quantities

    rows = [f"{item.name:<28} {item.unit or '-':<16} {item.meaning}" for item in quantities().values()]
    rows.append(f"{'UNIT_utilization_pct':<28} {'%':<16} load of a unit: dram, l2, l1tex, tensor, fma, ...")
    rows.append(f"{'stall_REASON_pct':<28} {'%':<16} share of a stall reason: long_scoreboard, barrier, ...")
    rows.append(f"{'any metric of the report':<28} {'as reported':<16} e.g. gpu__time_duration.sum")
    return "\n".join(rows) + "\n"
