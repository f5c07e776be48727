"""Each rule fires where its cause is, stays quiet where it is not, and turns exactly at its thresholds."""

import dataclasses

import pytest
from rule_cases import RULES, Case, cases_of, every_case, shipped, tables, with_limits

from ncuanalyze.analysis.gain import speedup
from ncuanalyze.diagnosis import Finding, Missing
from ncuanalyze.engine import run_rule
from ncuanalyze.rule import Clear, Flagged, NotApplicable, Verdict

KINDS = {
    "flagged": Flagged,
    "clear": Clear,
    "not_applicable": NotApplicable,
    "verdict": Verdict,
    "missing": Missing,
}
NEAR = 1.5
CASES = list(every_case())
AT_A_LIMIT = [case for case in CASES if case.at]
SHAPES = [(rule_id, name) for rule_id in RULES for name in tables(rule_id).get("shapes", ())]


def case_id(case: Case) -> str:
    return f"{case.rule}: {case.name}"


def outcome(case: Case, **limits: float):
    return run_rule(RULES[case.rule], case.analysis(), with_limits(RULES[case.rule], case.limits | limits))


@pytest.mark.parametrize("case", CASES, ids=case_id)
def test_case(case: Case) -> None:
    found = outcome(case)
    assert isinstance(found, KINDS[case.expect]), found
    assert case.message_has in getattr(found, "message", "")
    assert case.reason_has in getattr(found, "reason", "")
    if isinstance(found, Flagged):
        check_flagged(case, found)


def check_flagged(case: Case, found: Flagged) -> None:
    analysis = case.analysis()
    gain = speedup(analysis.loads_for(found.effect), found.effect, analysis.duration_ns or 0.0)
    assert 1 <= gain.low <= gain.estimate <= gain.high
    assert all(evidence.holds for evidence in found.because)
    assert found.advice
    if case.gain is not None:
        assert case.gain[0] <= gain.estimate <= case.gain[1]
    if case.measured is not None:
        assert case.measured / NEAR <= gain.estimate <= case.measured * NEAR
    if case.confidence:
        assert found.confidence.value == case.confidence
    if case.optional is not None:
        assert found.optional is case.optional


def what_is_decided(found: object) -> tuple[object, ...]:
    """All of an outcome but its measured numbers."""
    assert not isinstance(found, Finding | Missing), found
    because = tuple((item.label, item.relation, item.holds) for item in getattr(found, "because", ()))
    own = getattr(found, "confidence", None), getattr(found, "optional", None)
    return type(found), because if isinstance(found, Flagged) else (), own


@pytest.mark.parametrize("case", AT_A_LIMIT, ids=case_id)
def test_the_case_lies_exactly_at_its_threshold(case: Case) -> None:
    limit = with_limits(RULES[case.rule], case.limits).limits(case.rule)[case.at]
    below, above = (what_is_decided(outcome(case, **{case.at: limit * (1 + nudge)})) for nudge in (-1e-9, 1e-9))
    assert below != above


@pytest.mark.parametrize(("rule_id", "name"), SHAPES)
def test_a_threshold_that_shapes_the_gain_changes_it(rule_id: str, name: str) -> None:
    value = shipped().limits(rule_id)[name]
    flagged = [case for case in cases_of(rule_id) if case.expect == "flagged"]
    assert any(
        dataclasses.asdict(outcome(case, **{name: value * factor}).effect) != dataclasses.asdict(outcome(case).effect)
        for case in flagged
        for factor in (2.0, 0.5)
        if isinstance(outcome(case, **{name: value * factor}), Flagged)
    )
