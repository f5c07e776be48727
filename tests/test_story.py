"""The sentences that a reader reads first."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from launches import PCT, make_launch

from ncuanalyze.analysis.kernel import KernelAnalysis
from ncuanalyze.analysis.unit_table import unit_counters
from ncuanalyze.bound import classify, limiter_name
from ncuanalyze.diagnose import diagnose
from ncuanalyze.diagnosis import Bound, Finding, Kernel, KernelDiagnosis, Speedup, from_dict, to_dict
from ncuanalyze.load import load
from ncuanalyze.story import UNIT_NAMES, story_of, summary_of

SM, MEMORY = "sm__throughput" + PCT, "gpu__compute_memory_throughput" + PCT
FMA, DRAM = "sm__pipe_fma_cycles_active" + PCT, "dram__cycles_active" + PCT


NO_WAITS = {"not_selected": 1.0}


def promise(title: str, gain: float | None, kind: str = "cause") -> Finding:
    speedup = None if gain is None else Speedup(low=gain, estimate=gain, high=gain)
    return Finding(id="x", title=title, message=f"{title}.", speedup=speedup, kind=kind)


def summary(
    metrics: dict[str, float],
    *findings: Finding,
    at_roofline: bool = False,
    open_question: bool = False,
    stalls: dict[str, float] | None = NO_WAITS,
) -> str:
    kernel = KernelAnalysis(make_launch(metrics, stalls=stalls))
    found = classify(kernel)
    unit = limiter_name(kernel, found.bound)
    return summary_of(kernel, found, unit, at_roofline, findings, open_question=open_question)


COMPUTE = {SM: 90, MEMORY: 20, FMA: 90, DRAM: 20}
COPY = {SM: 20, MEMORY: 90, FMA: 20, DRAM: 90}
LATENCY = {SM: 20, MEMORY: 30, FMA: 20, DRAM: 30}


@pytest.mark.parametrize(
    ("metrics", "findings", "options", "sentence"),
    [
        (COMPUTE, [], {}, "Compute-bound by the FMA pipe at 90% of peak; no single cause stands out."),
        (COPY, [], {"at_roofline": True}, "At the roof of DRAM at 90% of peak; only less work makes it faster."),
        (
            COPY,
            [promise("Uncoalesced global access", 2.04)],
            {},
            "Memory-bound by DRAM at 90% of peak. Fix first: uncoalesced global access, about 2x.",
        ),
        (
            COPY,
            [],
            {"open_question": True},
            "Memory-bound by DRAM at 90% of peak, about what it sustains; whether all of its work is useful the "
            "report does not show.",
        ),
        (
            LATENCY,
            [promise("Grid too small for the GPU", 8.2)],
            {},
            "Latency-bound: no unit is busy enough (busiest: DRAM at 30% of peak). Fix first: grid too small for the "
            "GPU, about 8.2x.",
        ),
        (
            {SM: 65, MEMORY: 62, FMA: 65, DRAM: 62},
            [],
            {},
            "Balanced: SM and memory are about equally busy (busiest: the FMA pipe at 65% of peak); no single cause "
            "stands out.",
        ),
        ({SM: 65, MEMORY: 62}, [], {}, "Balanced: SM and memory are about equally busy; no single cause stands out."),
        ({SM: 20, MEMORY: 95}, [], {}, "Memory-bound; no single cause stands out."),
        ({SM: 20, MEMORY: 30}, [], {}, "Latency-bound; no single cause stands out."),
        (
            COPY,
            [],
            {"stalls": None},
            "Memory-bound by DRAM at 90% of peak; this report lacks the counters that would name a cause.",
        ),
        (
            {SM: 20, MEMORY: 55, DRAM: 30, "lts__throughput" + PCT: 83},
            [],
            {},
            "Latency-bound by ncu's SM and memory throughput, which leave out its busiest unit: L2 at 83% of peak; no "
            "single cause stands out.",
        ),
        (
            {SM: 0.1, MEMORY: 0.3, FMA: 0.1, DRAM: 0.3},
            [promise("Grid too small for the GPU", 128)],
            {},
            "Latency-bound: no unit is busy enough (busiest: DRAM below 1% of peak). Fix first: grid too small for the "
            "GPU, about 128x.",
        ),
        ({MEMORY: 30}, [], {}, "Inconclusive: SM throughput is missing"),
        (LATENCY, [promise("Too short to judge", None, "verdict")], {}, "Too short to judge."),
        (
            COPY,
            [promise("Tensor Cores idle", None)],
            {},
            "Memory-bound by DRAM at 90% of peak; no single cause stands out.",
        ),
    ],
)
def test_the_summary_of_a_kernel(
    metrics: dict[str, float], findings: list[Finding], options: dict[str, bool], sentence: str
) -> None:
    assert summary(metrics, *findings, **options) == sentence


ISSUED = "smsp__issue_active.avg.per_cycle_active"


@pytest.mark.parametrize(
    ("stalls", "issued", "lead"),
    [
        ({"barrier": 3.0, "wait": 1.0}, 0.4, " Most often a warp waits for other warps at a block barrier (75%)."),
        (
            {"not_selected": 5.0, "barrier": 3.0},
            0.4,
            " Most often a warp waits for other warps at a block barrier (38%).",
        ),
        ({"barrier": 1.0, "wait": 1.0, "drain": 1.0, "membar": 1.0}, 0.4, " Most often a warp {} (25%)."),
        ({"barrier": 1.0, "wait": 1.0, "drain": 1.0, "membar": 1.0, "sleeping": 0.1}, 0.4, ""),
        ({"barrier": 3.0, "wait": 1.0}, 0.8, ""),
    ],
    ids=["largest", "not_selected is no wait", "a quarter", "below a quarter", "busy schedulers"],
)
def test_without_a_cause_the_largest_wait_is_the_lead(stalls: dict[str, float], issued: float, lead: str) -> None:
    found = summary(COMPUTE | {ISSUED: issued}, stalls=stalls)
    wait = found.partition("a warp ")[2].rpartition(" (")[0]
    assert found == "Compute-bound by the FMA pipe at 90% of peak; no single cause stands out." + lead.format(wait)


@pytest.mark.parametrize(
    ("title", "inside"),
    [
        ("Uncoalesced global access", "uncoalesced global access"),
        ("Tensor Cores idle", "Tensor Cores idle"),
        ("FP64 arithmetic", "FP64 arithmetic"),
        ("", ""),
    ],
)
def test_a_title_inside_a_sentence(title: str, inside: str) -> None:
    assert Finding(id="x", title=title, message="").phrase == inside


def test_every_unit_has_a_readers_name() -> None:
    assert {counter.unit for counter in unit_counters()} <= set(UNIT_NAMES)


def kernel(
    name: str, duration_ns: float | None, headroom_pct: float | None = 0.0, *findings: Finding, roof: bool = False
) -> KernelDiagnosis:
    return KernelDiagnosis(
        kernel=Kernel(id=name, name=name, demangled=name),
        duration_ns=duration_ns,
        time_share_pct=None,
        cycles=None,
        bound=Bound.MEMORY,
        bound_evidence=(),
        bound_note="",
        nvidia_verdict=None,
        limiter="dram",
        at_roofline=roof,
        summary="",
        headroom_pct=headroom_pct,
        findings=findings,
    )


def story(*kernels: KernelDiagnosis, findings: tuple[Finding, ...] = ()) -> str:
    total = sum(item.duration_ns or 0 for item in kernels) or None
    shared = tuple(
        replace(item, time_share_pct=100 * item.duration_ns / total if item.duration_ns and total else None)
        for item in kernels
    )
    return story_of(shared, findings, total)


def test_no_kernels() -> None:
    assert story() == "No kernels were profiled."


def test_kernels_without_a_duration() -> None:
    assert story(kernel("a", None), kernel("b", None)) == "2 kernel launches, none with a duration."


def test_one_kernel_at_its_roof() -> None:
    assert story(kernel("copy", 527e3, roof=True)) == (
        "One kernel launch in 527 µs. It is at its roof; no change inside a kernel pays more than 2% of the total."
    )


def test_the_change_that_pays_most_is_the_one_that_saves_most_time() -> None:
    long = kernel("long", 900e3, 20.0, promise("Tail effect of a partial last wave", 1.25))
    short = kernel("short", 100e3, 90.0, promise("Grid too small for the GPU", 10))
    assert replace(long, time_share_pct=90).saved_pct == pytest.approx(18)
    assert long.saved_pct == 0
    assert story(long, short) == (
        "2 kernel launches in 1 ms. long takes 90% of it. The change that pays most: tail effect of a partial last "
        "wave in long, about 1.2x on that kernel, 18% of the total."
    )


def test_launches_of_one_kernel_are_told_together() -> None:
    launches = [kernel("step", 10e3, 30.0, promise("Tail effect", 1.43)) for _ in range(60)]
    assert story(*launches, kernel("copy", 400e3, roof=True)) == (
        "61 kernel launches in 1 ms. step takes 60% of it in 60 launches. The change that pays most: tail effect in "
        "step, about 1.4x on that kernel, 18% of the total."
    )


def test_no_all_clear_without_the_counters_to_give_one() -> None:
    unknown = replace(kernel("a", 1e3), bound=Bound.INCONCLUSIVE)
    assert story(unknown, unknown).endswith("What bounds them, this report does not show.")
    assert story(kernel("a", 1e3), kernel("b", 1e3)).endswith(
        "None is at its roof; the counters of this report prove no change that pays more than 2% of the total."
    )


def test_a_kernel_without_a_name_is_told_as_such() -> None:
    assert "(no name) takes 50% of it." in story(kernel("", 1e3), kernel("b", 1e3))


def test_a_finding_over_the_whole_report_is_told() -> None:
    chain = promise("Unfused elementwise chain", 2)
    assert story(kernel("a", 1e3), findings=(chain,)).endswith("Over the whole report: Unfused elementwise chain.")


@pytest.mark.parametrize(
    ("ns", "text"),
    [
        (999, "999 ns"),
        (999.6, "1 µs"),
        (1000, "1 µs"),
        (1234, "1.23 µs"),
        (999_872, "1 ms"),
        (999_400, "999 µs"),
        (2.5e9, "2.5 s"),
        (78.6e9, "78.6 s"),
    ],
)
def test_times_have_three_digits(ns: float, text: str) -> None:
    assert story(kernel("a", ns)).startswith(f"One kernel launch in {text}.")


SUMMARY = Path(__file__).parents[1] / "fixtures" / "odd" / "print_summary.csv"


def test_averages_are_told_with_the_launches_behind_them() -> None:
    # 103 launches were told as 2, whose times do not add up to the total
    diagnosis = diagnose(load(SUMMARY))
    assert diagnosis.story.startswith("103 kernel launches in 1.72 ms, shown as 2 averages. add takes 93% of it.")
    told = {item.kernel.name: (item.invocations, item.summary.split(". ")[0]) for item in diagnosis.kernels}
    assert told == {
        "add": (100, "The average of 100 launches, 1.59 ms in all"),
        "mul": (3, "The average of 3 launches, 126 µs in all"),
    }
    (mul,) = (item for item in diagnosis.kernels if item.kernel.name == "mul")
    assert story_of([mul], (), None) == "3 kernel launches, none with a duration, shown as 1 average."
    again = from_dict(json.loads(json.dumps(to_dict(diagnosis))))
    assert [item.invocations for item in again.kernels] == [item.invocations for item in diagnosis.kernels]


@pytest.mark.parametrize("told", [None, {}, {"invocations": "3"}, {"invocations": 0.5}, {"invocations": 1e300}])
def test_a_launch_is_one_where_nothing_sane_is_told(told: dict[str, float | str | None] | None) -> None:
    assert replace(diagnose(load(SUMMARY)).kernels[0], launch=told).invocations == 1
