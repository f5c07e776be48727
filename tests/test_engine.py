"""The rules over one kernel: findings by gain, missing counters by the option that brings them, and broken rules."""

import math
from dataclasses import replace

import pytest
from launches import FIXTURES, PCT, make_launch

from ncuanalyze import metrics as m
from ncuanalyze.analysis.gain import Effect
from ncuanalyze.analysis.kernel import KernelAnalysis
from ncuanalyze.diagnose import diagnose
from ncuanalyze.diagnosis import Confidence, Finding, Missing, Severity, Speedup, from_dict, to_dict
from ncuanalyze.engine import LIBRARY_ADVICE, judge, rank, run_rule
from ncuanalyze.load import load
from ncuanalyze.rule import Clear, Flagged, NotApplicable, Reading, Rule, Verdict
from ncuanalyze.ruleset import RuleSet, load_rules

BUSY_DRAM = {
    "gpu__time_duration.sum": 1e6,
    "dram__cycles_active" + PCT: 92,
    "gpu__compute_memory_throughput" + PCT: 92,
    "sm__throughput" + PCT: 20,
}


def kernel(metrics: dict[str, float] | None = None, **fields: object) -> KernelAnalysis:
    return KernelAnalysis(make_launch(BUSY_DRAM if metrics is None else metrics, **fields))  # type: ignore[arg-type]


def rules(*made: Rule) -> RuleSet:
    return replace(load_rules(), rules=made)


def rule(check, **fields: object) -> Rule:
    return Rule(**{"id": "mine", "title": "Mine", "check": check, **fields})  # type: ignore[arg-type]


def flagged(removed: float = 0.5, **fields: object) -> Flagged:
    made = {"message": "Half of it is waste.", "because": (), "advice": ("Drop it.",)}
    effect = Effect(removes={"unit:dram": removed})
    return Flagged(**{**made, "effect": effect, **fields})  # type: ignore[arg-type]


def fails(error: BaseException):
    def check(kernel: Reading, limits: object) -> Clear:
        raise error

    return check


def only(found: RuleSet, of: KernelAnalysis | None = None) -> Finding:
    (finding,) = judge(of or kernel(), found).findings
    return finding


def test_a_finding_has_its_gain_and_the_unit_it_saves() -> None:
    finding = only(rules(rule(lambda kernel, limits: flagged())))
    assert finding.speedup is not None and finding.speedup.estimate == pytest.approx(2)
    assert (finding.resource, finding.severity, finding.kind) == ("dram", Severity.ERROR, "cause")


@pytest.mark.parametrize(
    ("removed", "severity"),
    [
        (0.04, None),
        (1 - 1 / 1.06, "info"),
        (1 - 1 / 1.11, "warning"),
        (1 - 1 / 1.49, "warning"),
        (1 - 1 / 1.51, "error"),
    ],
)
def test_the_gain_decides_the_severity(removed: float, severity: str | None) -> None:
    found = judge(kernel(), rules(rule(lambda kernel, limits: flagged(removed)))).findings
    assert [finding.severity.value for finding in found] == ([severity] if severity else [])


def test_an_optional_change_is_named_but_not_promised() -> None:
    finding = only(rules(rule(lambda kernel, limits: flagged(optional=True))))
    assert (finding.speedup, finding.severity) == (None, Severity.INFO)
    assert finding.message == "Half of it is waste. Worth up to 2x."


@pytest.mark.parametrize("outcome", [Clear(), NotApplicable("another question")])
def test_a_rule_that_is_clear_or_does_not_apply_says_nothing(outcome: object) -> None:
    assert judge(kernel(), rules(rule(lambda kernel, limits: outcome))).findings == ()


@pytest.mark.parametrize(
    "error", [ValueError("boom"), KeyError("lost"), ZeroDivisionError(), RecursionError(), SystemExit(3)], ids=repr
)
def test_a_broken_rule_is_one_finding_and_the_others_go_on(error: BaseException) -> None:
    good = rule(lambda kernel, limits: flagged(), id="good")
    found = judge(kernel(), rules(rule(fails(error)), good)).findings
    assert {finding.id: finding.kind for finding in found} == {"good": "cause", "mine": "error"}
    broken = next(finding for finding in found if finding.kind == "error")
    assert type(error).__name__ in broken.message
    assert (broken.speedup, broken.severity) == (None, Severity.INFO)


def test_no_rule_is_to_blame_for_too_little_memory() -> None:
    """It was a finding of one rule, in a report that looked whole."""
    with pytest.raises(MemoryError):
        judge(kernel(), rules(rule(fails(MemoryError()))))


@pytest.mark.parametrize("kind", ["cause", "verdict"])
@pytest.mark.parametrize("answer", [None, True, "slow", 1.5], ids=repr)
def test_an_answer_that_is_no_outcome_is_a_broken_rule(kind: str, answer: object) -> None:
    finding = only(rules(rule(lambda kernel, limits: answer, kind=kind)))
    assert finding.kind == "error"
    assert f"check returned {type(answer).__name__}" in finding.message


@pytest.mark.parametrize(
    "effect",
    [None, Effect(removes={"unit:dram": "half"})],  # type: ignore[dict-item]
    ids=["none", "text"],
)
def test_an_effect_that_the_model_cannot_take_is_a_broken_rule(effect: Effect) -> None:
    assert only(rules(rule(lambda kernel, limits: flagged(effect=effect)))).kind == "error"


@pytest.mark.parametrize(
    "effect", [Effect(exposed=math.nan), Effect(removes={"unit:dram": math.nan}), Effect(serial=math.nan)], ids=repr
)
def test_an_effect_that_is_not_a_number_promises_nothing(effect: Effect) -> None:
    found = judge(kernel(), rules(rule(lambda kernel, limits: flagged(effect=effect)))).findings
    assert [finding.id for finding in found if finding.speedup is not None] == []


def test_a_rule_that_requires_something_else_than_metrics_is_broken() -> None:
    assert only(rules(rule(lambda kernel, limits: Clear(), requires=("a text",)))).kind == "error"


def test_reading_a_metric_that_is_not_declared_is_a_broken_rule() -> None:
    finding = only(rules(rule(lambda kernel, limits: kernel.maybe(m.REGISTERS))))
    assert "launch__registers_per_thread is read but not declared" in finding.message


def test_a_broken_rule_leaves_a_report_that_can_be_saved() -> None:
    profile = load(FIXTURES / "triples" / "c26.raw.csv.xz")
    diagnosis = diagnose(profile, ruleset=rules(rule(fails(ValueError("boom")))))
    assert from_dict(to_dict(diagnosis)) == diagnosis
    assert diagnosis.kernels[0].bound.value == "memory"


def test_a_rule_without_its_counters_is_missing_with_the_option_that_brings_them() -> None:
    asked = rule(lambda kernel, limits: flagged(), requires=(m.REGISTERS, m.L2_HIT_RATE))
    found = judge(kernel(), rules(asked))
    assert found.findings == ()
    assert found.missing == (
        Missing(
            what="Mine",
            reason="launch__registers_per_thread, lts__t_sector_hit_rate.pct: not collected",
            collect="--section LaunchStats --section MemoryWorkloadAnalysis",
        ),
    )
    assert found.unanswered == {"mine"}


def test_rules_that_lack_the_same_option_are_one_entry() -> None:
    first, second = (
        rule(lambda kernel, limits: Clear(), id=name, title=name, requires=(m.REGISTERS,)) for name in ("a", "b")
    )
    (entry,) = judge(kernel(), rules(first, second)).missing
    assert (entry.what, entry.collect) == ("a, b", "--section LaunchStats")


def test_a_rule_that_needs_stalls_asks_for_them() -> None:
    asked = rule(lambda kernel, limits: flagged(), needs_stalls=True)
    assert judge(kernel(), rules(asked)).missing[0].collect == "--section WarpStateStats"
    assert isinstance(run_rule(asked, KernelAnalysis(make_launch(stalls={"wait": 1})), rules(asked)), Flagged)


def test_a_verdict_ends_the_questions() -> None:
    short = rule(
        lambda kernel, limits: Verdict(message="Too short.", because=(), advice=()), id="short", kind="verdict"
    )
    finding = only(rules(rule(lambda kernel, limits: flagged()), short))
    assert (finding.id, finding.kind, finding.speedup) == ("short", "verdict", None)


def test_a_broken_verdict_does_not_end_them() -> None:
    broken = rule(fails(ValueError("boom")), id="short", kind="verdict")
    found = judge(kernel(), rules(rule(lambda kernel, limits: flagged()), broken)).findings
    assert {finding.id: finding.kind for finding in found} == {"mine": "cause", "short": "error"}


@pytest.mark.parametrize(
    "metrics",
    [{}, {"sm__throughput" + PCT: 20}, {"dram__cycles_active" + PCT: 92}],
    ids=["nothing", "SM only", "memory only"],
)
def test_without_unit_loads_a_cause_is_shown_but_no_gain(metrics: dict[str, float]) -> None:
    finding = only(
        rules(rule(lambda kernel, limits: flagged(resource="dram"))), kernel({"gpu__time_duration.sum": 1e6, **metrics})
    )
    assert (finding.speedup, finding.confidence, finding.severity) == (None, Confidence.LOW, Severity.INFO)
    assert (finding.message, finding.resource) == ("Half of it is waste.", "dram")


@pytest.mark.parametrize(("name", "first"), [("softmax_kernel", "Triton: a"), ("cudaish", "CUDA: b")])
def test_the_advice_begins_with_the_kernels_language(name: str, first: str) -> None:
    advice = ("CUDA: b", "Triton: a", "Both: c")
    finding = only(rules(rule(lambda kernel, limits: flagged(advice=advice))), kernel(name=name, demangled=name))
    assert finding.advice[0] == first
    assert set(finding.advice) == set(advice)


@pytest.mark.parametrize(
    ("advice", "told"),
    [
        (("CUDA: b", "Triton: a", "Larger tiles."), LIBRARY_ADVICE),
        (("CUDA: b", "PyTorch: c", "Library kernels: d"), ("PyTorch: c", "Library kernels: d")),
        (("Triton and PyTorch: e",), ("Triton and PyTorch: e",)),
    ],
)
def test_the_caller_of_a_library_is_not_told_to_write_a_kernel(advice: tuple[str, ...], told: tuple[str, ...]) -> None:
    name = "nvjet_sm90_tst_64x8_64x16_2x1_v_bz_NNT"
    finding = only(rules(rule(lambda kernel, limits: flagged(advice=advice))), kernel(name=name, demangled=name))
    assert finding.advice == told


def test_the_line_counter_of_a_finding_is_kept() -> None:
    found = judge(kernel(), rules(rule(lambda kernel, limits: flagged(counter="excess_global_sectors"))))
    assert found.counters == {"mine": "excess_global_sectors"}


def promise(name: str, gain: float | None, resource: str = "", confidence: Confidence = Confidence.HIGH) -> Finding:
    speedup = None if gain is None else Speedup(low=gain, estimate=gain, high=gain)
    return Finding(id=name, title=name, message="", speedup=speedup, resource=resource, confidence=confidence)


@pytest.mark.parametrize(
    ("findings", "order"),
    [
        ([promise("a", 1.2), promise("b", 3.0)], ["b", "a"]),
        ([promise("a", 2.0, confidence=Confidence.LOW), promise("b", 1.6)], ["b", "a"]),
        ([promise("a", 2.0, confidence=Confidence.MEDIUM), promise("b", 1.8)], ["a", "b"]),
        ([promise("b", 1.984), promise("a", 1.981)], ["a", "b"]),
        ([promise("a", None), promise("b", 1.05)], ["b", "a"]),
    ],
    ids=["by gain", "low confidence counts half", "medium counts most", "equal by name", "no promise last"],
)
def test_the_order_of_findings(findings: list[Finding], order: list[str]) -> None:
    assert [finding.id for finding in rank(findings)] == order


def test_two_findings_on_one_unit_do_not_promise_the_same_time_twice() -> None:
    found = rank([promise("a", 3, "dram"), promise("b", 2, "dram"), promise("c", 2, "l2"), promise("d", 1.5)])
    assert {finding.id: finding.overlaps for finding in found} == {"a": "", "b": "a", "c": "", "d": ""}


def test_kernels_that_lack_the_same_share_what_is_said_of_it() -> None:
    asks = rule(lambda *_: Clear(), requires=(m.L2_HIT_RATE, m.DRAM_BYTES))
    first, second = (run_rule(asks, kernel(), rules(asks)) for _ in range(2))
    assert isinstance(first, Missing)
    assert first is second
