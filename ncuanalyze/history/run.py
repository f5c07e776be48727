"""One run of the history: a diagnosis, and the commit it belongs to."""

from __future__ import annotations

from dataclasses import dataclass

from ncuanalyze.diagnosis import Diagnosis


@dataclass(frozen=True, kw_only=True)
class Run:
    """``at`` is ISO 8601 in UTC; runs are ordered by it, then by the order in which they were added."""

    commit: str
    branch: str
    at: str
    diagnosis: Diagnosis
