"""The cases of each rule, as data: ``ID.toml`` holds kernels (metric values) and what the rule says of them.

``kernel.NAME``: ``from`` says whose values they are; ``metrics`` by full name in base units, ``stalls`` by reason.
``case``: a kernel, changed by ``set``, ``without``, ``stalls`` (which replaces all stall ratios) and ``loads`` (which
replaces all unit loads; counter names without their common ending). Then the outcome: ``expect``, ``message_has`` or
``reason_has``, ``measured`` (the gain of the fix on an H200: the estimate is within a factor of 1.5) or ``gain`` (a
range for the estimate), ``confidence``, ``optional``. ``at`` names the threshold that the case lies exactly at;
``limits`` gives thresholds other values. ``shapes`` lists the thresholds that decide how large a gain is, not whether
there is a finding.
"""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from launches import PCT, make_launch

from ncuanalyze.analysis.kernel import KernelAnalysis
from ncuanalyze.analysis.unit_table import unit_counters
from ncuanalyze.metrics import MEMORY_THROUGHPUT, SM_THROUGHPUT
from ncuanalyze.profile import KernelLaunch
from ncuanalyze.rule import Rule
from ncuanalyze.ruleset import RuleSet, load_rules

FOLDER = Path(__file__).parent
UNIT_LOADS = {counter.name + PCT for counter in unit_counters()} | {SM_THROUGHPUT.name, MEMORY_THROUGHPUT.name}
RULES = {rule.id: rule for rule in load_rules().rules}


@dataclass(frozen=True, kw_only=True)
class Case:
    """One kernel and what its rule says of it."""

    rule: str
    name: str
    kernel: str
    expect: str
    set: dict[str, float] = field(default_factory=dict)
    without: tuple[str, ...] = ()
    stalls: dict[str, float] | None = None
    loads: dict[str, float] | None = None
    limits: dict[str, float] = field(default_factory=dict)
    device: str | None = None
    cc: tuple[int, int] = (9, 0)
    at: str = ""
    message_has: str = ""
    reason_has: str = ""
    gain: tuple[float, float] | None = None
    measured: float | None = None
    confidence: str = ""
    optional: bool | None = None

    def launch(self) -> KernelLaunch:
        """The kernel's launch with the changes of this case."""
        kernel = tables(self.rule)["kernel"][self.kernel]
        gone = {*self.without, *(UNIT_LOADS if self.loads is not None else ())}
        metrics = {name: value for name, value in kernel["metrics"].items() if name not in gone}
        loads = {name + PCT: value for name, value in (self.loads or {}).items()}
        return make_launch(
            metrics | loads | self.set,
            stalls=kernel.get("stalls") if self.stalls is None else self.stalls,
            cc=self.cc,
            device=self.device,
            failed=kernel.get("failed", False),
        )

    def analysis(self) -> KernelAnalysis:
        """The analysis of its launch."""
        return KernelAnalysis(self.launch())


@cache
def tables(rule_id: str) -> dict[str, Any]:
    """The file of one rule."""
    return tomllib.loads((FOLDER / f"{rule_id}.toml").read_text(encoding="utf-8"))


@cache
def cases_of(rule_id: str) -> tuple[Case, ...]:
    """The cases of one rule."""
    return tuple(Case(rule=rule_id, **{**entry, **_tuples(entry)}) for entry in tables(rule_id)["case"])


def _tuples(entry: dict[str, Any]) -> dict[str, Any]:
    return {key: tuple(entry[key]) for key in ("gain", "without", "cc") if key in entry}


def every_case() -> Iterator[Case]:
    """The cases of every rule that has a file."""
    for path in sorted(FOLDER.glob("*.toml")):
        yield from cases_of(path.stem)


def firing(rule_id: str) -> Case:
    """The first case in which the rule fires."""
    return next(case for case in cases_of(rule_id) if case.expect in ("flagged", "verdict"))


@cache
def shipped() -> RuleSet:
    """The rules and thresholds as they ship."""
    return load_rules()


def with_limits(rule: Rule, changed: dict[str, float]) -> RuleSet:
    """The shipped thresholds with some of one rule's changed."""
    thresholds = {key: dict(entries) for key, entries in shipped().thresholds.items()}
    for name, value in changed.items():
        thresholds[rule.id][name] = replace(thresholds[rule.id][name], value=value)
    return replace(shipped(), thresholds=thresholds)
