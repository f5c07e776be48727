"""The reports named on the command line as one diagnosis, with the filters applied."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from ncuanalyze.cli.reading import read
from ncuanalyze.errors import InvalidInput

if TYPE_CHECKING:
    from ncuanalyze.diagnose import Options
    from ncuanalyze.diagnosis import Diagnosis, Kernel
    from ncuanalyze.modelling.workload import Workload
    from ncuanalyze.profile import KernelLaunch

Choices = Mapping[str, object]
Named = TypeVar("Named", "KernelLaunch", "Kernel")
LISTED = 8
NEEDS_REPORT = {
    "rules_folder": "--rules",
    "thresholds": "--thresholds",
    "ceilings": "--ceilings",
    "source_root": "--source-root",
}
"""Options that change how a report is judged: a saved diagnosis cannot follow them."""


def gather(reports: Sequence[str], form: str, choices: Choices) -> Diagnosis:
    """Load, filter and diagnose every report; several become one diagnosis, in the order given."""
    parts = [_one(report, form, choices) for report in reports]
    merged = parts[0] if len(parts) == 1 else _merge(parts)
    merged = _with_workloads(merged, choices)
    top = choices.get("top")
    return _slowest(merged, top) if isinstance(top, int) else merged


def _one(report: str, form: str, choices: Choices) -> Diagnosis:
    from ncuanalyze.diagnosis import Diagnosis

    found = read(report)
    if isinstance(found, Diagnosis):
        return _of_saved(found, choices)
    from ncuanalyze.diagnose import diagnose
    from ncuanalyze.ruleset import load_rules

    launches = _wanted(found.launches, choices)
    rules = load_rules(_path(choices, "rules_folder"), _path(choices, "thresholds"))
    return diagnose(replace(found, launches=launches), ruleset=rules, options=_options(form, choices))


def _of_saved(diagnosis: Diagnosis, choices: Choices) -> Diagnosis:
    """The saved diagnosis of the wanted kernels. Its findings stand: an option that would change them is an error."""
    for name, option in NEEDS_REPORT.items():
        if choices.get(name) is not None:
            raise InvalidInput(
                f"{option} needs the report itself: {diagnosis.source.file} is a saved diagnosis",
                hint="give the .ncu-rep file or its CSV export",
            )
    kept = {kernel.id for kernel in _wanted([item.kernel for item in diagnosis.kernels], choices)}
    if len(kept) == len(diagnosis.kernels):
        return diagnosis
    from ncuanalyze.merge import only

    return only(diagnosis, [item for item in diagnosis.kernels if item.kernel.id in kept])


def _with_workloads(diagnosis: Diagnosis, choices: Choices) -> Diagnosis:
    texts = choices.get("workload")
    if not isinstance(texts, tuple) or not texts:
        return diagnosis
    from ncuanalyze.modelling.apply import apply_workloads

    return apply_workloads(diagnosis, [workload for text in texts for workload in _workloads(text)])


def _workloads(text: str) -> Sequence[Workload]:
    """What one ``--workload`` names: its own words, or those of a file."""
    from ncuanalyze.cli.usage import read_from_the_command_line
    from ncuanalyze.modelling.workload import load_workloads

    with nullcontext() if text.endswith(".toml") else read_from_the_command_line():
        return load_workloads((text,))


def _path(choices: Choices, name: str) -> Path | None:
    value = choices.get(name)
    return value if isinstance(value, Path) else None


def _options(form: str, choices: Choices) -> Options:
    from ncuanalyze.diagnose import Options

    ceilings = None
    if (file := _path(choices, "ceilings")) is not None:
        from ncuanalyze.analysis.ceilings import load_ceilings

        ceilings = load_ceilings(file)
    return Options(
        hotspots=form in ("html", "json"),
        all_metrics=form == "html",
        source_root=_path(choices, "source_root"),
        ceilings=ceilings,
    )


def _wanted(found: Sequence[Named], choices: Choices) -> tuple[Named, ...]:
    """What the filters keep; an error that lists what could be asked for where they keep nothing."""
    kept = _named(found, choices)
    kept = tuple(item for item in kept if _is_wanted(item, choices))
    if found and not kept:
        raise InvalidInput("no kernel matches the filters", hint=_choice(found, choices))
    return kept


def _named(found: Sequence[Named], choices: Choices) -> tuple[Named, ...]:
    if not isinstance(kernel := choices.get("kernel"), str):
        return tuple(found)
    from ncuanalyze.pattern import Pattern

    pattern = Pattern(kernel, "--kernel")
    return tuple(item for item in found if pattern.finds(item.name, item.demangled))


def _is_wanted(item: Named, choices: Choices) -> bool:
    nvtx, number = choices.get("nvtx"), choices.get("launch")
    if isinstance(nvtx, str) and nvtx not in item.nvtx:
        return False
    return not isinstance(number, int) or item.id == str(number)


def _choice(found: Sequence[Named], choices: Choices) -> str:
    if isinstance(choices.get("launch"), int):
        return f"the report has the launches {found[0].id} to {found[-1].id}"
    if isinstance(choices.get("nvtx"), str):
        ranges: dict[str, None] = {name: None for item in found for name in item.nvtx}
        return (
            f"the report has the ranges: {', '.join([*ranges][:LISTED])}" if ranges else "the report has no NVTX ranges"
        )
    return f"the report has: {', '.join([*dict.fromkeys(item.name for item in found)][:LISTED])}"


def _merge(parts: Sequence[Diagnosis]) -> Diagnosis:
    from ncuanalyze.merge import merge

    return merge(parts)


def _slowest(diagnosis: Diagnosis, top: int) -> Diagnosis:
    order = sorted(diagnosis.kernels, key=lambda item: -(item.duration_ns or 0.0))[:top]
    chosen = {id(item) for item in order}
    return replace(diagnosis, kernels=tuple(item for item in diagnosis.kernels if id(item) in chosen))
