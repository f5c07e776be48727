"""What a rule is, what it may read, and what it may answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from ncuanalyze.analysis.gain import Effect
from ncuanalyze.analysis.kernel import KernelAnalysis
from ncuanalyze.diagnosis import Confidence, Evidence
from ncuanalyze.metrics import MetricRef
from ncuanalyze.record import record

Limits = Mapping[str, float]
"""The thresholds that a rule declared, by name."""


@record
class Flagged:
    """The cause is there. ``effect`` says what its fix changes; ``resource`` names the unit whose time it saves.

    ``counter`` is the per-instruction counter that points to the source lines, where there is one. ``optional`` marks
    a change of the arithmetic itself (its precision) in a kernel that is at its roof: it is named, not promised.
    """

    message: str
    because: tuple[Evidence, ...]
    effect: Effect
    advice: tuple[str, ...]
    resource: str = ""
    confidence: Confidence = Confidence.HIGH
    counter: str = ""
    optional: bool = False


@record
class Verdict:
    """Why no cause can be named for this kernel: too short, failed. No other rule is asked."""

    message: str
    because: tuple[Evidence, ...]
    advice: tuple[str, ...]


@record
class Clear:
    """The cause is not there, and this is the comparison that says so."""

    because: tuple[Evidence, ...] = ()


@dataclass(frozen=True)
class NotApplicable:
    """The question does not arise for this kernel."""

    reason: str


Outcome = Flagged | Verdict | Clear | NotApplicable


class UndeclaredMetric(Exception):
    """A rule read a metric that it did not declare."""


class Reading:
    """One kernel as a rule sees it: the metrics that the rule declared, and the analysis made from them."""

    def __init__(self, analysis: KernelAnalysis, allowed: frozenset[MetricRef]) -> None:
        self.analysis = analysis
        self._allowed = allowed

    def maybe(self, ref: MetricRef) -> float | None:
        """The value in its base unit; None where it is missing or not finite."""
        if ref not in self._allowed:
            raise UndeclaredMetric(f"{ref.name} is read but not declared")
        return self.analysis.number(ref)

    def value(self, ref: MetricRef) -> float:
        """The value of a required metric: the engine has made sure that it is there."""
        found = self.maybe(ref)
        if found is None:
            raise UndeclaredMetric(f"{ref.name} is read as required but declared optional")
        return found

    def total(self, *refs: MetricRef) -> float:
        """The sum of several optional counters; a missing one counts nothing."""
        return sum(self.maybe(ref) or 0.0 for ref in refs)

    def evidence(self, label: str, ref: MetricRef, relation: str = "", limit: float | None = None) -> Evidence:
        """A required metric as evidence, compared with a limit or alone."""
        return Evidence(
            label=label,
            metric=self.analysis.name_of(ref),
            value=self.value(ref),
            unit=ref.unit,
            relation=relation,
            limit=limit,
        )


@record
class Rule:
    """A cause to look for. ``limits`` name its thresholds in ``thresholds.toml``."""

    id: str
    title: str
    check: Callable[[Reading, Limits], Outcome]
    requires: tuple[MetricRef, ...] = ()
    optional: tuple[MetricRef, ...] = ()
    limits: tuple[str, ...] = ()
    needs_stalls: bool = False
    kind: str = "cause"
    doc: str = field(default="", compare=False)
