"""ncu's own stored results: their markup as plain text, their verdict as a bound, and a word where they differ."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from launches import FIXTURES

from ncuanalyze.bound import Classification
from ncuanalyze.diagnose import diagnose
from ncuanalyze.diagnosis import Bound, Finding, Speedup
from ncuanalyze.load import load
from ncuanalyze.nvidia import plain_markup, results_of, verdict_of
from ncuanalyze.profile import StoredResult


@pytest.mark.parametrize(
    ("text", "plain", "links"),
    [
        ("no markup", "no markup", ()),
        ("see @section:SourceCounters:Source Counters@ here", "see Source Counters here", ()),
        (
            "see @url:Profiling Guide:https://docs.nvidia.com/x.html#a@.",
            "see Profiling Guide.",
            (("Profiling Guide", "https://docs.nvidia.com/x.html#a"),),
        ),
        ("@url:bad:javascript:alert(1)@", "bad", ()),
        ("@url:bad:http://plain.example@", "bad", ()),
        ("@url:bad:file:///etc/passwd@", "bad", ()),
        ("@source:kernel.cu:12@ and @sass:f:LDG@", "12 and LDG", ()),
        ("mail@example.com and 5 @ 6", "mail@example.com and 5 @ 6", ()),
        ("an unfinished @url:text:https://x", "an unfinished @url:text:https://x", ()),
        ("", "", ()),
    ],
)
def test_markup_becomes_text_and_links(text: str, plain: str, links: tuple[tuple[str, str], ...]) -> None:
    assert plain_markup(text) == (plain, links)


@given(st.text())
def test_no_text_breaks_it_and_only_https_is_linked(text: str) -> None:
    assert all(url.startswith("https://") for _, url in plain_markup(text)[1])


def verdict(title: str, ours: Bound, sm: float | None = 50, memory: float | None = 50, note: str = ""):
    stored = [StoredResult(rule="SOLBottleneck", title=title, text="The text. More of it.")]
    return verdict_of(stored, Classification(bound=ours, evidence=(), note=note), sm, memory)


@pytest.mark.parametrize(
    ("title", "sm", "memory", "bound"),
    [
        ("High Compute Throughput", 70, 20, "compute"),
        ("High Memory Throughput", 20, 70, "memory"),
        ("High Throughput", 90, 20, "compute"),
        ("High Throughput", 20, 90, "memory"),
        ("High Throughput", 83, 83, "memory"),
        ("High Throughput", None, 90, None),
        ("Balanced Throughput", 70, 70, "balanced"),
        ("Latency Issue", 20, 20, "latency"),
        ("Small Grid", 20, 20, "latency"),
        ("FP64 Ratio", 20, 20, None),
        ("", 20, 20, None),
    ],
)
def test_the_bound_of_a_stored_verdict(title: str, sm: float | None, memory: float | None, bound: str | None) -> None:
    found = verdict(title, Bound(bound or "latency"), sm, memory)
    assert found is not None
    assert (found.bound.value if found.bound else None, found.difference) == (bound, "")


def test_a_verdict_without_a_title_is_its_first_sentence() -> None:
    found = verdict("", Bound.LATENCY)
    assert found is not None
    assert (found.title, found.bound) == ("The text", None)


def test_a_difference_gives_our_reason() -> None:
    found = verdict("Latency Issue", Bound.MEMORY, note="host memory traffic is at the link's ceiling")
    assert found is not None
    assert found.difference == "host memory traffic is at the link's ceiling"
    found = verdict("Latency Issue", Bound.MEMORY)
    assert found is not None and found.difference


def test_without_a_stored_verdict_there_is_none() -> None:
    other = [StoredResult(rule="CPIStall", title="Stall")]
    assert verdict_of(other, Classification(bound=Bound.LATENCY, evidence=()), 10, 10) is None


def difference(pct: float | None, scope: str = "global", roof: bool = False, best: float | None = None) -> str:
    stored = [StoredResult(rule="R", title="T", speedup_pct=pct, speedup_scope=scope)]
    mine = [] if best is None else [promise(best)]
    (result,) = results_of(stored, roof, mine)
    return result.difference


def promise(gain: float) -> Finding:
    return Finding(id="x", title="X", message="", speedup=Speedup(low=gain, estimate=gain, high=gain))


@pytest.mark.parametrize(
    ("pct", "scope", "roof", "best", "says"),
    [
        (None, "", False, None, ""),
        (0.0, "global", True, None, ""),
        (95.0, "local", False, 3.0, "a local estimate"),
        (21.0, "global", True, None, "at the roof"),
        (20.0, "global", True, None, ""),
        (50.0, "global", False, 2.0, ""),
        (90.0, "global", False, 2.0, "allows about 2x"),
        (100.0, "global", False, 2.0, "allows about 2x"),
        (30.0, "global", False, None, ""),
        (40.0, "global", False, None, "allows about 1x"),
    ],
)
def test_a_promise_that_the_counters_do_not_carry(
    pct: float | None, scope: str, roof: bool, best: float | None, says: str
) -> None:
    said = difference(pct, scope, roof, best)
    assert says in said
    assert bool(said) is bool(says)


def test_empty_results_are_left_out() -> None:
    assert results_of([StoredResult(rule="R")], False, ()) == ()


def test_a_real_report_passes_every_result_on_as_plain_text() -> None:
    profile = load(FIXTURES / "demo.ncu-rep.xz")
    for launch, kernel in zip(profile.launches, diagnose(profile).kernels, strict=True):
        assert len(kernel.nvidia_results) == len(launch.stored_results)
        assert kernel.nvidia_verdict is not None
        assert (kernel.nvidia_verdict.bound, kernel.nvidia_verdict.difference) == (kernel.bound, "")
        for result in kernel.nvidia_results:
            assert "@url:" not in result.message and "@section:" not in result.message
            assert result.rule and result.section


def test_a_page_that_cries_wolf_is_answered() -> None:
    (copy,) = diagnose(load(FIXTURES / "triples" / "c26.ncu-rep.xz")).kernels
    loud = [result for result in copy.nvidia_results if (result.speedup_pct or 0) > 20]
    assert copy.at_roofline
    assert loud
    assert all(result.difference for result in loud)
