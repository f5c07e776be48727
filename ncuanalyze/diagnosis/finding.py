"""What a rule says about a kernel or about the whole report."""

from __future__ import annotations

from enum import StrEnum

from ncuanalyze.diagnosis.evidence import Evidence
from ncuanalyze.record import record


class Severity(StrEnum):
    """How much a finding matters: by its estimated gain (see ``rules/thresholds.toml``)."""

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


class Confidence(StrEnum):
    """How far the counters prove the cause."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


@record
class Speedup:
    """Old time over new time if this cause alone were gone: 1.0 is no gain, 2.0 twice as fast."""

    low: float
    estimate: float
    high: float


@record
class SourceLine:
    """A line that causes a finding. ``share_pct``: its share of ``counter`` over the kernel, 0-100."""

    file: str
    line: int
    share_pct: float
    counter: str
    text: str = ""


@record
class Finding:
    """One cause: what it is, what proves it, what to change and what that pays.

    ``kind`` is ``cause`` (something to fix), ``verdict`` (why no cause is named: too short, failed) or ``error``
    (a broken rule); ``ranking`` orders the kernels of a report. ``resource`` names the unit whose time the fix saves;
    ``overlaps`` the finding of a higher rank that promises the same time.
    """

    id: str
    title: str
    message: str
    advice: tuple[str, ...] = ()
    severity: Severity = Severity.INFO
    confidence: Confidence = Confidence.MEDIUM
    kind: str = "cause"
    evidence: tuple[Evidence, ...] = ()
    speedup: Speedup | None = None
    resource: str = ""
    overlaps: str = ""
    source_lines: tuple[SourceLine, ...] = ()
    kernels: tuple[str, ...] = ()

    @property
    def phrase(self) -> str:
        """The title inside a sentence: a small first letter, unless it is a name (``Tensor Cores``, ``FP64``)."""
        first = self.title.split(" ", 1)[0]
        return self.title if first == "Tensor" or first.isupper() else self.title[:1].lower() + self.title[1:]


@record
class Missing:
    """Something the report does not hold, why, and the ncu option that collects it."""

    what: str
    reason: str
    collect: str = ""


@record
class NvidiaResult:
    """A result of one of ncu's own rules, its markup already plain; ``links`` are (text, URL) pairs."""

    rule: str
    section: str
    title: str
    message: str
    kind: str
    speedup_pct: float | None = None
    speedup_scope: str = ""
    links: tuple[tuple[str, str], ...] = ()
    difference: str = ""
