"""Values out of range: named, and a finding that stands on one is doubtful."""

from dataclasses import replace

import pytest
from launches import PCT, make_launch

from ncuanalyze import metrics as m
from ncuanalyze.analysis.gain import Effect
from ncuanalyze.analysis.kernel import KernelAnalysis
from ncuanalyze.diagnosis import Confidence, below, fact
from ncuanalyze.engine import judge
from ncuanalyze.reliability import doubtful, unreliable, warnings_of
from ncuanalyze.rule import Flagged, Rule
from ncuanalyze.ruleset import load_rules

HIT, DRAM = "lts__t_sector_hit_rate.pct", "gpu__dram_throughput" + PCT


def kernel(metrics: dict[str, float]) -> KernelAnalysis:
    return KernelAnalysis(make_launch(metrics))


@pytest.mark.parametrize(
    ("ref", "value", "trusted"),
    [
        (m.L2_HIT_RATE, 0, True),
        (m.L2_HIT_RATE, 100, True),
        (m.L2_HIT_RATE, 100.43, False),
        (m.L2_HIT_RATE, -1, False),
        (m.L1_HIT_RATE, 171, False),
        (m.GLOBAL_LOAD_HIT_RATE, 171, False),
        (m.DRAM_THROUGHPUT, 105, True),
        (m.DRAM_THROUGHPUT, 105.1, False),
        (m.L1_THROUGHPUT, 434, False),
        (m.SM_THROUGHPUT, 100.9, True),
        (m.REGISTERS, 255, True),
    ],
)
def test_a_value_out_of_its_range(ref: m.MetricRef, value: float, trusted: bool) -> None:
    said = unreliable(kernel({ref.name: value}), ref)
    assert (said == "") is trusted
    assert trusted or ref.name in said


def test_a_missing_value_is_not_unreliable() -> None:
    assert unreliable(kernel({}), m.L2_HIT_RATE) == ""


@pytest.mark.parametrize(("duration_ns", "lines"), [(1470, 2), (19_999, 2), (20_000, 1), (0, 1)])
def test_a_short_kernel_says_why_passes_disagree(duration_ns: float, lines: int) -> None:
    assert len(warnings_of(kernel({HIT: 171, "gpu__time_duration.sum": duration_ns}))) == lines


def test_a_short_kernel_in_range_has_no_warning() -> None:
    assert warnings_of(kernel({HIT: 50, "gpu__time_duration.sum": 1470})) == ()


@pytest.mark.parametrize(
    ("metrics", "doubted"),
    [({HIT: 40, DRAM: 80}, False), ({HIT: 171, DRAM: 80}, True), ({HIT: 40, DRAM: 434}, True)],
)
def test_a_finding_that_stands_on_a_value_out_of_range_is_doubtful(metrics: dict[str, float], doubted: bool) -> None:
    assert doubtful(kernel(metrics), (below("L2 hit rate", HIT, 40, 50),)) is doubted


def test_a_hit_rate_that_a_finding_does_not_show_does_not_matter() -> None:
    assert not doubtful(kernel({HIT: 171}), (fact("registers", "launch__registers_per_thread", 32),))


@pytest.mark.parametrize(("dram", "confidence"), [(95, Confidence.HIGH), (110, Confidence.LOW)])
def test_a_doubtful_finding_has_low_confidence(dram: float, confidence: Confidence) -> None:
    made = Flagged(message="", because=(), effect=Effect(removes={"all": 0.5}), advice=("",))
    rules = replace(load_rules(), rules=(Rule(id="a", title="A", check=lambda kernel, limits: made),))
    loads = {DRAM: dram, "sm__throughput" + PCT: 10, "gpu__time_duration.sum": 1e6}
    (finding,) = judge(kernel(loads), rules).findings
    assert finding.confidence is confidence
