"""Run the rules over one kernel; a rule's failure is a finding, never a lost report."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from ncuanalyze.analysis.gain import next_roof, speedup
from ncuanalyze.analysis.kernel import KernelAnalysis
from ncuanalyze.diagnosis import Confidence, Finding, Missing, Severity
from ncuanalyze.metrics import MetricRef
from ncuanalyze.record import record
from ncuanalyze.reliability import doubtful
from ncuanalyze.rule import Clear, Flagged, NotApplicable, Outcome, Reading, Rule, Verdict
from ncuanalyze.ruleset import RuleSet


@record
class Judged:
    """What the rules said of one kernel: findings by gain, what was missing, and per finding its line counter.

    ``unanswered`` are the ids of the rules whose counters were missing.
    """

    findings: tuple[Finding, ...]
    missing: tuple[Missing, ...]
    counters: Mapping[str, str]
    unanswered: frozenset[str] = frozenset()


def judge(kernel: KernelAnalysis, ruleset: RuleSet) -> Judged:
    """Every rule over one kernel. A verdict (too short, failed) ends it: no cause can be proved then."""
    broken: list[Finding] = []
    for rule in ruleset.rules:
        if rule.kind != "verdict":
            continue
        outcome = run_rule(rule, kernel, ruleset)
        if isinstance(outcome, Verdict):
            return Judged(findings=(_verdict(rule, outcome), *broken), missing=(), counters={})
        if isinstance(outcome, Finding):
            broken.append(outcome)
    return _causes(kernel, ruleset, broken)


def _causes(kernel: KernelAnalysis, ruleset: RuleSet, broken: Sequence[Finding]) -> Judged:
    findings: list[Finding] = [*broken]
    missing: list[Missing] = []
    counters: dict[str, str] = {}
    unanswered: set[str] = set()
    optional: set[str] = set()
    for rule in ruleset.rules:
        if rule.kind != "cause":
            continue
        outcome = run_rule(rule, kernel, ruleset)
        match outcome:
            case Flagged():
                finding = _found(rule, outcome, kernel, ruleset)
                if finding is not None:
                    findings.append(finding)
                    counters[rule.id] = outcome.counter
                    optional |= {rule.id} if outcome.optional else set()
            case Missing():
                missing.append(outcome)
                unanswered.add(rule.id)
            case Finding():
                findings.append(outcome)
            case _:
                pass
    return Judged(
        findings=_named_only(rank(findings, optional), optional),
        missing=_merged(missing),
        counters=counters,
        unanswered=frozenset(unanswered),
    )


def run_rule(rule: Rule, kernel: KernelAnalysis, ruleset: RuleSet) -> Outcome | Missing | Finding:
    """One rule's outcome; ``Missing`` where its counters are not there; an error finding where it breaks."""
    try:
        absent = [ref for ref in rule.requires if kernel.number(ref) is None]
        if absent:
            return _missing(rule, absent, kernel)
        if rule.needs_stalls and kernel.stalls is None:
            return Missing(what=rule.title, reason="no stall counters", collect="--section WarpStateStats")
        reading = Reading(kernel, frozenset((*rule.requires, *rule.optional)))
        outcome = rule.check(reading, ruleset.limits(rule.id))
        if not isinstance(outcome, _ANSWERS[rule.kind]):
            raise TypeError(f"check returned {type(outcome).__name__}")
    except MemoryError:  # no rule's fault, and the report is not whole without it
        raise
    except (Exception, SystemExit) as error:  # a broken rule must not cost the report
        return _broken(rule, error)
    return outcome


_ANSWERS = {"cause": Flagged | Clear | NotApplicable, "verdict": Verdict | Clear | NotApplicable}
"""What a rule of each kind may return."""


def _broken(rule: Rule, error: BaseException) -> Finding:
    import logging

    logging.getLogger(__name__).debug("rule %s failed", rule.id, exc_info=error)
    return Finding(
        id=rule.id,
        title=rule.title,
        message=f"the rule failed: {type(error).__name__}: {error}",
        kind="error",
        confidence=Confidence.LOW,
        severity=Severity.INFO,
    )


def _found(rule: Rule, outcome: Flagged, kernel: KernelAnalysis, ruleset: RuleSet) -> Finding | None:
    try:
        return _finding(rule, outcome, kernel, ruleset)
    except MemoryError:
        raise
    except Exception as error:  # an effect that the model cannot take
        return _broken(rule, error)


def _missing(rule: Rule, absent: Sequence[MetricRef], kernel: KernelAnalysis) -> Missing:
    reasons = {str(kernel.launch.absence(ref.name) or "not collected") for ref in absent}
    return _missing_entry(rule.title, tuple(absent), tuple(sorted(reasons)))


@lru_cache(maxsize=1024)
def _missing_entry(title: str, absent: tuple[MetricRef, ...], reasons: tuple[str, ...]) -> Missing:
    """The same object for every kernel that lacks the same: most kernels of one report do."""
    sections = sorted({ref.section for ref in absent})
    return Missing(
        what=title,
        reason=f"{', '.join(ref.name for ref in absent)}: {'; '.join(reasons)}",
        collect=" ".join(f"--section {section}" for section in sections),
    )


def _merged(missing: Sequence[Missing]) -> tuple[Missing, ...]:
    """One entry an option: what it would bring, in one line."""
    by_option: dict[str, list[Missing]] = {}
    for item in missing:
        by_option.setdefault(item.collect, []).append(item)
    return tuple(
        Missing(
            what=", ".join(dict.fromkeys(item.what for item in items)),
            reason="; ".join(dict.fromkeys(item.reason for item in items)),
            collect=option,
        )
        for option, items in sorted(by_option.items())
    )


def _verdict(rule: Rule, outcome: Verdict) -> Finding:
    return Finding(
        id=rule.id,
        title=rule.title,
        message=outcome.message,
        advice=outcome.advice,
        evidence=outcome.because,
        kind="verdict",
        confidence=Confidence.HIGH,
        severity=Severity.INFO,
    )


def _finding(rule: Rule, outcome: Flagged, kernel: KernelAnalysis, ruleset: RuleSet) -> Finding | None:
    if not kernel.units.measured:
        return _without_gain(rule, outcome, kernel)
    limits = ruleset.limits("engine")
    effect = outcome.effect
    loads = kernel.loads_for(effect)
    gain = speedup(loads, effect, kernel.duration_ns or 0.0)
    if not math.isfinite(gain.low + gain.estimate + gain.high):
        raise ValueError("the gain is not a number")
    if gain.estimate < limits["least_gain"]:
        return None
    roof = next_roof(loads, effect)
    return Finding(
        id=rule.id,
        title=rule.title,
        message=f"{outcome.message} Worth up to {gain.estimate:.2g}x." if outcome.optional else outcome.message,
        advice=_for_language(outcome.advice, kernel.language),
        severity=Severity.INFO if outcome.optional else _severity(gain.estimate, limits),
        confidence=Confidence.LOW if doubtful(kernel, outcome.because) else outcome.confidence,
        evidence=outcome.because,
        speedup=gain,
        resource=outcome.resource or (roof.unit if roof is not None else ""),
    )


def _without_gain(rule: Rule, outcome: Flagged, kernel: KernelAnalysis) -> Finding:
    """The cause is shown, but not what it costs: how busy the units are was not collected."""
    return Finding(
        id=rule.id,
        title=rule.title,
        message=outcome.message,
        advice=_for_language(outcome.advice, kernel.language),
        severity=Severity.INFO,
        confidence=Confidence.LOW,
        evidence=outcome.because,
        resource=outcome.resource,
    )


_CALLS = re.compile(r"PyTorch|Library")
LIBRARY_ADVICE = (
    "The kernel is a library's: change what is asked of it (algorithm, layout, data type, shape), or its version.",
    "PyTorch: torch.compile fuses such kernels or writes its own (mode='max-autotune' for matrix products).",
)
"""Where a rule has no advice of its own for the callers of a library."""


def _for_language(advice: Sequence[str], language: str) -> tuple[str, ...]:
    """The advice for the kernel's own language first, the other's last; the caller of a library writes no kernel."""
    if language == "library":
        calls = tuple(line for line in advice if _CALLS.search(line.partition(":")[0]))
        return calls or LIBRARY_ADVICE
    mine, other = ("Triton:", "CUDA:") if language == "triton" else ("CUDA:", "Triton:")
    return tuple(sorted(advice, key=lambda line: (line.startswith(other), not line.startswith(mine))))


def _severity(gain: float, limits: Mapping[str, float]) -> Severity:
    if gain >= limits["error_gain"]:
        return Severity.ERROR
    return Severity.WARNING if gain >= limits["warning_gain"] else Severity.INFO


OPTIONAL_WEIGHT = 0.5
"""Another arithmetic may not be wanted."""


def _named_only(findings: Sequence[Finding], optional: Collection[str]) -> tuple[Finding, ...]:
    """The findings without the gains that are named in the message, not promised."""
    return tuple(replace(finding, speedup=None) if finding.id in optional else finding for finding in findings)


def rank(findings: Sequence[Finding], optional: Collection[str] = ()) -> tuple[Finding, ...]:
    """By estimated gain; of two that promise time of the same unit the smaller names the larger in ``overlaps``.

    ``optional``: ids of findings whose gain counts half. Gains that are equal to two decimals count as equal: the
    forms of one report differ by less.
    """
    weight = {Confidence.HIGH: 1.0, Confidence.MEDIUM: 0.85, Confidence.LOW: 0.5}

    def key(finding: Finding) -> tuple[float, str]:
        gain = finding.speedup.estimate - 1 if finding.speedup is not None else -1.0
        sure = OPTIONAL_WEIGHT if finding.id in optional else weight[finding.confidence]
        return (-round(gain * sure, 2), finding.id)

    ordered = sorted(findings, key=key)
    first: dict[str, str] = {}
    ranked = []
    for finding in ordered:
        above = first.get(finding.resource) if finding.resource else None
        ranked.append(replace(finding, overlaps=above) if above else finding)
        if finding.resource:
            first.setdefault(finding.resource, finding.id)
    return tuple(ranked)
