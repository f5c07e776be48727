"""The reports named on the command line as one diagnosis, with the filters applied."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ncuanalyze.errors import InvalidInput

if TYPE_CHECKING:
    from ncuanalyze.diagnose import Options
    from ncuanalyze.diagnosis import Diagnosis
    from ncuanalyze.profile import KernelLaunch, Profile

Choices = Mapping[str, object]


def gather(reports: Sequence[str], form: str, choices: Choices) -> Diagnosis:
    """Load, filter and diagnose every report; several become one diagnosis, in the order given."""
    parts = [_one(report, form, choices) for report in reports]
    merged = parts[0] if len(parts) == 1 else _merge(parts)
    merged = _with_workloads(merged, choices)
    top = choices.get("top")
    return _slowest(merged, top) if isinstance(top, int) else merged


def _one(report: str, form: str, choices: Choices) -> Diagnosis:
    saved = _saved(report)
    if saved is not None:
        return saved
    from ncuanalyze.diagnose import diagnose
    from ncuanalyze.load import load
    from ncuanalyze.ruleset import load_rules

    profile = _filtered(load(report), choices)
    rules = load_rules(_path(choices, "rules_folder"), _path(choices, "thresholds"))
    return diagnose(profile, ruleset=rules, options=_options(form, choices))


def _with_workloads(diagnosis: Diagnosis, choices: Choices) -> Diagnosis:
    texts = choices.get("workload")
    if not isinstance(texts, tuple) or not texts:
        return diagnosis
    from ncuanalyze.modelling.apply import apply_workloads
    from ncuanalyze.modelling.workload import load_workloads

    return apply_workloads(diagnosis, load_workloads(texts))


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


def _saved(report: str) -> Diagnosis | None:
    """A diagnosis saved as JSON, if the file is one."""
    if not report.endswith(".json"):
        return None
    try:
        text = Path(report).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None
    import json

    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(data, dict) or "schema" not in data:
        return None
    from ncuanalyze.diagnosis import from_dict

    return from_dict(data)


def _filtered(profile: Profile, choices: Choices) -> Profile:
    launches = [launch for launch in profile.launches if _wanted(launch, choices)]
    if not launches and profile.launches:
        names = ", ".join(dict.fromkeys(launch.name for launch in profile.launches[:8]))
        raise InvalidInput("no kernel matches the filters", hint=f"the report has: {names}")
    return replace(profile, launches=tuple(launches))


def _wanted(launch: KernelLaunch, choices: Choices) -> bool:
    kernel, nvtx, number = choices.get("kernel"), choices.get("nvtx"), choices.get("launch")
    if isinstance(kernel, str) and not _matches(kernel, launch):
        return False
    if isinstance(nvtx, str) and nvtx not in launch.nvtx:
        return False
    return not isinstance(number, int) or launch.id == str(number)


def _matches(pattern: str, launch: KernelLaunch) -> bool:
    try:
        found = re.compile(pattern)
    except re.error as error:
        raise InvalidInput(
            f"--kernel: {pattern!r} is not a regular expression: {error}",
            hint="escape ( ) [ ] * with a backslash",
        ) from error
    return bool(found.search(launch.name) or found.search(launch.demangled))


def _merge(parts: Sequence[Diagnosis]) -> Diagnosis:
    from ncuanalyze.merge import merge

    return merge(parts)


def _slowest(diagnosis: Diagnosis, top: int) -> Diagnosis:
    order = sorted(diagnosis.kernels, key=lambda item: -(item.duration_ns or 0.0))[:top]
    chosen = {id(item) for item in order}
    return replace(diagnosis, kernels=tuple(item for item in diagnosis.kernels if id(item) in chosen))
