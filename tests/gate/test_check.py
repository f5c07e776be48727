"""Assertions judged on launches: limits, missing values, units, names, tolerance."""

from __future__ import annotations

from typing import Any

import pytest
from compare_documents import diagnosis, finding, kernel, launches, units

from ncuanalyze.diagnosis import (
    Bound,
    Device,
    FlopCount,
    KernelDiagnosis,
    Memory,
    MemoryLevel,
    MetricValue,
    Occupancy,
    Roofline,
    Stall,
    Stalls,
)
from ncuanalyze.errors import InvalidInput
from ncuanalyze.gate import CheckResult, Status, check, parse_budget, propose
from ncuanalyze.gate.quantity import LOCAL_SECTORS, quantities
from ncuanalyze.render.check_words import headline, name, shared_names

FULL = kernel(
    "gemm",
    200_000.0,
    bound=Bound.COMPUTE,
    limiter="tensor",
    at_roofline=True,
    cycles=390_000,
    sm_clock_hz=1.95e9,
    occupancy=Occupancy(theoretical_pct=25, achieved_pct=24.5, registers_per_thread=128),
    memory=Memory(levels=(MemoryLevel(level="dram", bytes=4e8, bytes_per_s=2e12, throughput_pct=42),)),
    roofline=Roofline(
        roofs=(),
        points=(),
        flops=(FlopCount(precision="bf16", path="tensor", flop=1.4e11, peak_flop_per_s=1e15, utilization_pct=70.0),),
        nearest_roof_pct=70.0,
    ),
    speed_of_light=units(tensor=68, l2=40),
    stalls=Stalls(
        issue_active=0.35,
        latency_cycles=10,
        selected_pct=10,
        reasons=(Stall(reason="wait", cycles_per_issue=3, share_pct=30),),
        matter=True,
    ),
    findings=(finding("small_grid", 1.15), finding("tail_effect", None)),
    metrics=(
        MetricValue(name="gpu__time_duration.sum", value=200_000.0, unit="ns"),
        MetricValue(name="smsp__inst_executed.sum", value=4e6, unit="inst"),
        MetricValue(name="launch__func_cache_config", value="CachePreferNone"),
        MetricValue(name="dram__bytes.sum", value=None, unit="byte", missing="collected, but NaN or infinite"),
        *(MetricValue(name=name, value=0.0, unit="sector") for name in LOCAL_SECTORS),
    ),
)


def checked(assertion: str, *kernels: KernelDiagnosis, **fields: Any) -> CheckResult:
    text = f"[[budget]]\nkernel = '*'\nassert = [{assertion!r}]\n"
    text += "".join(f"{key} = {str(value).lower()}\n" for key, value in fields.items())
    return check(diagnosis(*(kernels or (FULL,))), parse_budget(text))


CASES = [
    ("duration_us < 200", Status.FAILED),
    ("duration_us <= 200", Status.PASSED),
    ("duration_us < 200.1", Status.PASSED),
    ("duration_ns <= 200 us", Status.PASSED),
    ("duration_ns < 200 us", Status.FAILED),
    ("duration_ns < 0.2001 ms", Status.PASSED),
    ("duration_us < 0.0001 s", Status.FAILED),
    ("200 >= duration_us", Status.PASSED),
    ("200 > duration_us", Status.FAILED),
    ("gpu__time_duration.sum == 200000", Status.PASSED),
    ("gpu__time_duration.sum == 200 us", Status.PASSED),
    ("registers_per_thread <= 128", Status.PASSED),
    ("registers_per_thread < 128", Status.FAILED),
    ("local_memory_spilling == 0", Status.PASSED),
    ("local_memory_spilling != 0", Status.FAILED),
    ("tensor_utilization_pct >= 70", Status.PASSED),
    ("tensor_utilization_pct > 70", Status.FAILED),
    ("l2_utilization_pct <= 40 %", Status.PASSED),
    ("stall_wait_pct < 31", Status.PASSED),
    ("issue_active_pct >= 35", Status.PASSED),
    ('bound == "compute"', Status.PASSED),
    ('bound == "memory"', Status.FAILED),
    ("bound != 'memory'", Status.PASSED),
    ("'compute' == bound", Status.PASSED),
    ("limiter == 'tensor'", Status.PASSED),
    ("limiter == 'none'", Status.FAILED),
    ("at_roofline == true", Status.PASSED),
    ("launch__func_cache_config == 'CachePreferNone'", Status.PASSED),
    ("dram_bytes_per_s >= 2 TB/s", Status.PASSED),
    ("dram_bytes / duration_us <= 2000000", Status.PASSED),
    ("dram_bytes / duration_us <= 2 TB/s", Status.PASSED),
    ("dram_bytes / duration_us < 1.9 TB/s", Status.FAILED),
    ("duration_us * sm_clock_hz == cycles", Status.PASSED),
    ("tensor_flop / dram_bytes > 300", Status.PASSED),
    ("duration_us + 1 ms < 1201", Status.PASSED),
    ("duration_us / waves_per_sm < 3", Status.MISSING),
    ("l1_hit_rate_pct > 50", Status.MISSING),
    ("dram__bytes.sum < 5", Status.MISSING),
    ("duration_us / (registers_per_thread - 128) < 5", Status.MISSING),
    ("no finding above 1.2x", Status.PASSED),
    ("no finding above 1.15x", Status.PASSED),
    ("no finding above 1.1x", Status.FAILED),
    ("no finding", Status.FAILED),
    ("no finding tail_effect", Status.FAILED),
    ("no finding tail_effect above 1.1x", Status.PASSED),
    ("no finding shared_bank_conflicts", Status.PASSED),
]


@pytest.mark.parametrize(("assertion", "status"), CASES, ids=[text for text, _ in CASES])
def test_status(assertion: str, status: Status) -> None:
    (outcome,) = checked(assertion).outcomes
    assert outcome.status is status, outcome
    assert checked(assertion).passed == (status is Status.PASSED)


ERRORS = [
    ("duratoin_us < 200", "no value of this report", "duration_us"),
    ("gpu__time_duration.sun < 5", "no value of this report", "gpu__time_duration.sum"),
    ("tensor_utilisation_pct > 5", "no value of this report", "tensor_utilization_pct"),
    ("duration_us < 5 GB", "cannot be compared", "units"),
    ("duration_us < 70 %", "cannot be compared", "units"),
    ("registers_per_thread <= 4 us", "cannot be compared", "units"),
    ("duration_us + dram_bytes < 5", "cannot be added", "units"),
    ("bound < 'memory'", "no order", "=="),
    ("bound == 5", "text cannot be compared with a number", "bound"),
    ("bound == 'memry'", "not one of", "memory"),
    ("limiter == 'drm'", "not one of", "dram"),
    ("bound + 1 == 5", "is a text", "numbers"),
]


@pytest.mark.parametrize(("assertion", "says", "hint"), ERRORS, ids=[case[0] for case in ERRORS])
def test_names_units_and_texts_that_cannot_be_right_are_errors(assertion: str, says: str, hint: str) -> None:
    with pytest.raises(InvalidInput) as error:
        checked(assertion)
    assert says in str(error.value)
    assert assertion in str(error.value)
    assert hint in error.value.hint


@pytest.mark.parametrize(
    ("assertion", "measured", "limit", "unit"),
    [
        ("duration_ns < 0.2 ms", 0.2, 0.2, "ms"),
        ("3 TB/s > dram_bytes / duration_us", 2.0, 3.0, "TB/s"),
        ("duration_us < 200", 200.0, 200.0, "us"),
        ("dram_bytes / duration_us < 1", 2e6, 1.0, "byte/us"),
    ],
)
def test_what_was_measured_is_given_in_the_unit_of_the_limit(
    assertion: str, measured: float, limit: float, unit: str
) -> None:
    (outcome,) = checked(assertion).outcomes
    assert (outcome.measured, outcome.limit, outcome.unit) == (pytest.approx(measured), limit, unit)


def test_an_unknown_finding_is_an_error_with_the_nearest_id() -> None:
    budget = parse_budget("[[budget]]\nassert = 'no finding uncoalesced_global_acces'\n")
    with pytest.raises(InvalidInput) as error:
        check(diagnosis(FULL), budget, finding_ids=("uncoalesced_global_access", "small_grid"))
    assert "uncoalesced_global_access" in error.value.hint


TOLERANCES = [
    ("duration_us < 198 within 2%", Status.PASSED),
    ("duration_us < 190 within 2%", Status.FAILED),
    ("tensor_utilization_pct >= 71 within 2%", Status.PASSED),
    ("registers_per_thread == 127 within 1%", Status.PASSED),
    ("registers_per_thread == 127 within 0.5%", Status.FAILED),
    ("local_memory_spilling == 0 within 5%", Status.PASSED),
]


@pytest.mark.parametrize(("assertion", "status"), TOLERANCES, ids=[text for text, _ in TOLERANCES])
def test_tolerance(assertion: str, status: Status) -> None:
    assert checked(assertion).outcomes[0].status is status


def test_the_budgets_tolerance_holds_where_the_assertion_has_none() -> None:
    (outcome,) = checked("duration_us < 198", tolerance_pct=2).outcomes
    assert outcome.status is Status.PASSED
    assert outcome.note == "within the tolerance of 2%"


def test_several_launches_count_by_their_median() -> None:
    result = checked("duration_us < 101", *launches([100, 500, 99]))
    assert (result.outcomes[0].status, result.outcomes[0].measured, result.outcomes[0].launches) == (
        "passed",
        100,
        3,
    )


@pytest.mark.parametrize("value", [None, float("nan"), float("inf")])
def test_a_missing_duration_does_not_pass(value: float | None) -> None:
    result = checked("duration_us < 200", kernel(duration_ns=value))
    assert result.outcomes[0].status is Status.MISSING
    assert result.outcomes[0].note == "duration_us is not collected"
    assert not result.passed


def test_an_advisory_budget_tells_but_does_not_block() -> None:
    result = checked("duration_us < 100", advisory=True)
    assert (result.outcomes[0].status, result.outcomes[0].blocks, result.passed) == ("failed", False, True)


def test_advisory_mode_blocks_nothing() -> None:
    budget = parse_budget("gpu='NVIDIA A100*'\n[[budget]]\nkernel='nobody'\nassert='cycles < 1'\n")
    told, blocked = check(diagnosis(FULL), budget, advisory=True), check(diagnosis(FULL), budget)
    assert told.passed
    assert not blocked.passed
    problems = "the budget is for NVIDIA A100*, the report is of NVIDIA H200 and 1 more of the kind"
    assert headline(told) == f"Advisory: {problems}"
    assert headline(blocked) == f"Budget broken: {problems}"


def test_the_headline_counts_assertions_and_names_what_else_is_broken() -> None:
    assert headline(checked("cycles < 1")) == "Budget broken: 1 of 1 assertion failed"
    assert headline(checked("cycles > 1")) == "Within budget: 1 assertion holds"
    nobody = parse_budget("[[budget]]\nkernel='nobody'\nassert='cycles < 1'\n")
    assert headline(check(diagnosis(FULL), nobody)) == "Budget broken: no kernel is called nobody"


def test_a_budget_without_a_kernel_blocks_unless_optional() -> None:
    text = "[[budget]]\nkernel='nobody*'\nassert='cycles < 1'\n"
    assert check(diagnosis(FULL), parse_budget(text)).unmatched == ("nobody*",)
    assert check(diagnosis(FULL), parse_budget(text + "optional=true\n")).passed


def test_a_budget_for_another_gpu_blocks() -> None:
    budget = parse_budget("gpu='NVIDIA A100*'\n[[budget]]\nassert='cycles > 1'\n")
    result = check(diagnosis(FULL), budget)
    assert result.problems == ("the budget is for NVIDIA A100*, the report is of NVIDIA H200",)
    assert not result.passed
    assert check(diagnosis(FULL, device=Device()), budget).passed


def test_patterns_pick_by_name_function_full_name_and_nvtx() -> None:
    kernels = [
        kernel("k<1>", demangled="void ns::k<1>(int)", nvtx=("step", "norm")),
        kernel("other"),
    ]

    def picked(pattern: str, nvtx: str = "") -> int:
        text = f"[[budget]]\nkernel='{pattern}'\nnvtx='{nvtx}'\nassert='duration_us > 0'\noptional=true\n"
        return len(check(diagnosis(*kernels), parse_budget(text)).outcomes)

    assert [picked("k"), picked("k<1>"), picked("void ns::k<1>(int)"), picked("*")] == [1, 1, 1, 2]
    assert [picked("*", "norm"), picked("*", "no*"), picked("K"), picked("nope")] == [1, 1, 0, 0]


BROKEN = [
    ("budget = 1", "no [[budget]]"),
    ("x = [", "no TOML"),
    ("", "no [[budget]]"),
    ("[[budget]]\nkernel='k'\n", "asserts nothing"),
    ("[[budget]]\nassert=[]\n", "asserts nothing"),
    ("[[budget]]\nassert=[1]\n", "asserts nothing"),
    ("[[budget]]\nassert='cycles < 1'\nkernal='k'\n", "unknown key 'kernal'"),
    ("[[budget]]\nassert='cycles < 1'\ntolerance_pct='2'\n", "no percentage"),
    ("[[budget]]\nassert='cycles < 1'\ntolerance_pct=nan\n", "no percentage"),
    ("[[budget]]\nassert='cycles < 1'\nadvisory='yes'\n", "is no bool"),
    ("[[budget]]\nassert='cycles <'\n", "budget 1 (*)"),
    ("schema='ncuanalyze.budget/9'\n[[budget]]\nassert='cycles < 1'\n", "has schema"),
]


@pytest.mark.parametrize(("text", "says"), BROKEN, ids=[says for _, says in BROKEN])
def test_a_broken_budget_is_one_error(text: str, says: str) -> None:
    with pytest.raises(InvalidInput) as error:
        parse_budget(text)
    assert says in str(error.value)
    assert error.value.hint


def test_a_proposed_budget_lets_its_own_report_pass() -> None:
    odd = kernel('k"[x]*\\', 5_000.0, demangled='void k"[x]*\\<a>(int)\n', nvtx=("a", "b[1]"))
    report = diagnosis(FULL, odd, kernel(duration_ns=None, name="failed"), file="a\nb.ncu-rep")
    text = propose(report)
    result = check(report, parse_budget(text))
    assert result.passed, [item for item in result.outcomes if item.blocks]
    assert {"duration_us < 212", "registers_per_thread <= 128", "local_memory_spilling == 0"} <= {
        item.assertion for item in result.outcomes
    }
    assert 'bound == "compute"' in {item.assertion for item in result.outcomes}


def test_a_proposed_budget_fails_a_slower_report() -> None:
    budget = parse_budget(propose(diagnosis(kernel("k", 100_000.0))))
    assert not check(diagnosis(kernel("k", 120_000.0)), budget).passed
    assert check(diagnosis(kernel("k", 104_000.0)), budget).passed


def test_every_derived_value_has_a_unit_that_is_known_and_a_meaning() -> None:
    from ncuanalyze.gate.unit import unit_named

    assert all(unit_named(item.unit) is not None and item.meaning for item in quantities().values())
    empty = kernel(duration_ns=None)
    assert all(item.read(empty) is None or item.texts for item in quantities().values())


def test_kernels_of_one_name_are_told_apart_by_their_ranges() -> None:
    kernels = [kernel("mm", nvtx=("step",), grid=(1, 1, 1)), kernel("mm", nvtx=("other",), grid=(2, 1, 1))]
    result = checked("duration_us < 0", *kernels)
    shared = shared_names(result)
    assert [name(item, 40, shared) for item in result.outcomes] == ["mm in step", "mm in other"]
    assert shared_names(checked("duration_us < 0", kernels[0])) == frozenset()
