"""What every rule makes of values that are missing, not a number, or zero: never a crash, never a promise."""

import math
from collections.abc import Mapping
from dataclasses import replace

import pytest
from rule_cases import RULES, cases_of, firing, shipped

from ncuanalyze.analysis.kernel import KernelAnalysis
from ncuanalyze.diagnosis import Finding, Missing
from ncuanalyze.engine import judge, run_rule
from ncuanalyze.metrics import DURATION, MetricRef
from ncuanalyze.profile import KernelLaunch, MetricTable, Value
from ncuanalyze.rule import Flagged, Verdict

CAUSES = [rule.id for rule in RULES.values() if rule.kind == "cause"]
REQUIRED = [(rule.id, ref) for rule in RULES.values() for ref in rule.requires]
OPTIONAL = [(rule.id, ref) for rule in RULES.values() for ref in rule.optional]


def table(rule_id: str) -> dict[str, Value | None]:
    """The metrics of the first kernel for which the rule fires."""
    metrics = firing(rule_id).launch().metrics
    return {name: metrics.raw(name) for name in metrics.names()}


def run(rule_id: str, metrics: Mapping[str, Value | None]):
    launch = replace(firing(rule_id).launch(), metrics=MetricTable(metrics))
    return run_rule(RULES[rule_id], KernelAnalysis(launch), shipped())


def without(metrics: Mapping[str, Value | None], ref: MetricRef) -> dict[str, Value | None]:
    return {name: value for name, value in metrics.items() if name not in ref.names}


def metric_id(value: object) -> str | None:
    return value.name if isinstance(value, MetricRef) else None


@pytest.mark.parametrize(("rule_id", "ref"), REQUIRED, ids=metric_id)
def test_without_a_metric_it_names_the_section_that_brings_it(rule_id: str, ref: MetricRef) -> None:
    found = run(rule_id, without(table(rule_id), ref))
    assert isinstance(found, Missing)
    assert f"{ref.name}: not collected" in found.reason
    assert f"--section {ref.section}" in found.collect


@pytest.mark.parametrize(("rule_id", "ref"), REQUIRED, ids=metric_id)
@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf], ids=str)
def test_a_metric_that_is_no_number_is_missing(rule_id: str, ref: MetricRef, value: float) -> None:
    found = run(rule_id, without(table(rule_id), ref) | {ref.name: value})
    assert isinstance(found, Missing)
    assert "NaN or infinite" in found.reason


@pytest.mark.parametrize(("rule_id", "ref"), OPTIONAL, ids=metric_id)
@pytest.mark.parametrize("value", [None, math.nan], ids=["absent", "NaN"])
def test_an_optional_metric_may_be_missing(rule_id: str, ref: MetricRef, value: float | None) -> None:
    found = run(rule_id, without(table(rule_id), ref) | {ref.name: value})
    assert not isinstance(found, Missing)
    assert_no_crash(found)


@pytest.mark.parametrize("rule_id", RULES)
def test_a_value_of_zero_in_any_place_does_not_break_it(rule_id: str) -> None:
    metrics = table(rule_id)
    for ref in (*RULES[rule_id].requires, *RULES[rule_id].optional):
        assert_no_crash(run(rule_id, without(metrics, ref) | {ref.name: 0.0}))
    assert_no_crash(run(rule_id, dict.fromkeys(metrics, 0.0)))


@pytest.mark.parametrize("rule_id", CAUSES)
def test_without_a_duration_nothing_is_promised(rule_id: str) -> None:
    kernel = replace(firing(rule_id).launch(), metrics=MetricTable(without(table(rule_id), DURATION)))
    assert promised(kernel, rule_id) == []


@pytest.mark.parametrize("rule_id", CAUSES)
def test_in_a_duration_of_zero_nothing_is_promised(rule_id: str) -> None:
    kernel = replace(firing(rule_id).launch(), metrics=MetricTable(table(rule_id) | {DURATION.name: 0.0}))
    assert promised(kernel, rule_id) == []


def promised(launch: KernelLaunch, rule_id: str) -> list[str]:
    found = judge(KernelAnalysis(launch), shipped()).findings
    assert [finding.message for finding in found if finding.kind == "error"] == []
    return [finding.id for finding in found if finding.id == rule_id and finding.speedup is not None]


@pytest.mark.parametrize("rule_id", [rule_id for rule_id in CAUSES if RULES[rule_id].needs_stalls])
def test_without_stall_counters_it_asks_for_them(rule_id: str) -> None:
    metrics = {name: value for name, value in table(rule_id).items() if "issue_stalled" not in name}
    found = run(rule_id, metrics)
    assert isinstance(found, Missing)
    assert "--section WarpStateStats" in found.collect


@pytest.mark.parametrize("rule_id", [rule_id for rule_id in CAUSES if RULES[rule_id].requires])
def test_it_does_not_fire_on_a_launch_without_metrics(rule_id: str) -> None:
    assert not isinstance(run(rule_id, {}), Flagged | Verdict)


@pytest.mark.parametrize("rule_id", CAUSES)
def test_every_case_survives_a_report_without_its_optional_metrics(rule_id: str) -> None:
    for case in cases_of(rule_id):
        metrics = case.launch().metrics
        needed = {name for ref in RULES[rule_id].requires for name in ref.names}
        only = {name: metrics.raw(name) for name in metrics.names() if name in needed or "issue_stalled" in name}
        assert_no_crash(run(rule_id, only))


def assert_no_crash(found: object) -> None:
    assert not (isinstance(found, Finding) and found.kind == "error"), found
