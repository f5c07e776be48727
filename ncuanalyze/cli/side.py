"""One side of a comparison from what the user names: a report, a saved diagnosis, a folder or a history."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from ncuanalyze.cli.reading import read
from ncuanalyze.errors import InvalidInput, UnreadableReport

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ncuanalyze.diagnosis import Diagnosis, KernelDiagnosis

FORMS = (".ncu-rep", ".json", ".raw.csv", ".details.csv", ".csv")
PACKED_ENDINGS = (".xz", ".gz", ".zst", ".zip")
DIAGNOSIS_MARK = b'"ncuanalyze.diagnosis/'
SQLITE_MAGIC = b"SQLite format 3\x00"


@dataclass(frozen=True, kw_only=True)
class Picks:
    """Which kernels to keep, and which runs of a history stand for the base."""

    kernel: str | None = None
    nvtx: str | None = None
    branch: str | None = None
    last: int = 10
    all_metrics: bool = False


def read_side(path: str, picks: Picks) -> list[Diagnosis]:
    """Every diagnosis that a path stands for, at least one, filtered.

    Raises UnreadableReport for a folder or a history without any, and what the loaders raise.
    """
    if is_history(path):
        from ncuanalyze.history import recent_runs

        found = [run.diagnosis for run in recent_runs(Path(path), branch=picks.branch, last=picks.last)]
    else:
        found = [read_diagnosis(file, all_metrics=picks.all_metrics) for file in files_of(path)]
    if not found and is_history(path):
        where = f" of branch '{picks.branch}'" if picks.branch else ""
        raise UnreadableReport(f"{path} holds no run{where}", hint=f"ncuanalyze history show {path} lists its runs")
    if not found:
        raise UnreadableReport(f"{path} holds no report", hint="give .ncu-rep, .csv or saved .json files")
    kept = [_filtered(diagnosis, picks) for diagnosis in found]
    if not any(diagnosis.kernels for diagnosis in kept) and any(diagnosis.kernels for diagnosis in found):
        names = dict.fromkeys(kernel.kernel.name for diagnosis in found for kernel in diagnosis.kernels)
        raise InvalidInput(f"no kernel of {path} matches the filter", hint=f"it holds: {', '.join([*names][:8])}")
    return kept


def is_history(path: str) -> bool:
    """Whether the file is an SQLite database."""
    try:
        if not Path(path).is_file():  # a pipe can be read once
            return False
        with Path(path).open("rb") as file:
            return file.read(len(SQLITE_MAGIC)) == SQLITE_MAGIC
    except OSError:
        return False


def files_of(path: str) -> list[str]:
    """The file itself, or every report of a folder in order of names.

    A run that lies there in several forms (``k.ncu-rep``, ``k.raw.csv.xz``, ``k.json``) counts once, as the
    report.
    """
    try:
        return _reports_of(Path(path)) if Path(path).is_dir() else [path]
    except OSError as error:
        raise UnreadableReport(f"cannot read {path}: {error.strerror or error}", hint="check the path") from error


def _reports_of(folder: Path) -> list[str]:
    runs: dict[str, tuple[int, str]] = {}
    for item in sorted(folder.iterdir()):
        found = _form(item.name) if item.is_file() and _may_be_report(item) else None
        if found is not None:
            rank, run = found
            runs[run] = min(runs.get(run, (len(FORMS), "")), (rank, str(item)))
    return [file for _, file in runs.values()]


def _may_be_report(file: Path) -> bool:
    """False for JSON of other programs, which a folder may well hold."""
    if file.suffix != ".json":
        return True
    return DIAGNOSIS_MARK in file.read_bytes()


def _form(name: str) -> tuple[int, str] | None:
    """How well a form of a run tells it (0 is best), and the run's name; None for other files."""
    plain = name
    for packed in PACKED_ENDINGS:
        plain = plain.removesuffix(packed)
    for rank, ending in enumerate(FORMS):
        if plain.endswith(ending):
            return rank, plain.removesuffix(ending)
    return None


def read_diagnosis(path: str, *, all_metrics: bool = False) -> Diagnosis:
    """A saved diagnosis as it is; any report loaded and diagnosed."""
    from ncuanalyze.diagnosis import Diagnosis

    found = read(path)
    if isinstance(found, Diagnosis):
        return found
    from ncuanalyze.diagnose import Options, diagnose

    return diagnose(found, options=Options(all_metrics=all_metrics))


def _filtered(diagnosis: Diagnosis, picks: Picks) -> Diagnosis:
    if picks.kernel is None and picks.nvtx is None:
        return diagnosis
    return replace(diagnosis, kernels=_kept(diagnosis.kernels, picks))


def _kept(kernels: Sequence[KernelDiagnosis], picks: Picks) -> tuple[KernelDiagnosis, ...]:
    from ncuanalyze.pattern import Pattern

    pattern = Pattern(picks.kernel or "", "--kernel")
    return tuple(
        item
        for item in kernels
        if pattern.finds(item.kernel.name, item.kernel.demangled)
        and (picks.nvtx is None or picks.nvtx in item.kernel.nvtx)
    )
