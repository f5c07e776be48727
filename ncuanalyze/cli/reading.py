"""What a user names as a report: a report to diagnose, or a diagnosis saved as JSON, told apart by what it holds."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ncuanalyze.cli.split import SPLIT
from ncuanalyze.errors import SavedDiagnosis

if TYPE_CHECKING:
    from ncuanalyze.diagnosis import Diagnosis
    from ncuanalyze.profile import Profile


def read(report: str) -> Profile | Diagnosis:
    """The profile of a report, or a saved diagnosis as it is; packed or not, ``-`` for standard input.

    Raises what ``load`` raises, and UnreadableReport for a saved diagnosis of another version or a damaged one.
    """
    try:
        return read_profile(report)
    except SavedDiagnosis as saved:
        from ncuanalyze.diagnosis import from_dict

        return from_dict(saved.document)


def read_profile(report: str) -> Profile:
    """The profile of a report. Raises what ``load`` raises, SavedDiagnosis for a diagnosis too."""
    from ncuanalyze.load import load
    from ncuanalyze.load.container import STDIN

    SPLIT.before_reading("standard input" if report == STDIN else report)
    _read_by_this_command().add(report)
    return load(report)


def was_read(file: Path) -> bool:
    """Whether the file is a report that this command has read: no output goes there."""
    return file.exists() and any(_is_same(file, report) for report in _read_by_this_command())


def _is_same(file: Path, report: str) -> bool:
    try:
        return file.samefile(report)
    except OSError:  # it is gone, or its name is none that a file can have
        return False


def _read_by_this_command() -> set[str]:
    context = click.get_current_context(silent=True)
    read: set[str] = set() if context is None else context.meta.setdefault(__name__, set())
    return read
