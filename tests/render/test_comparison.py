"""A comparison as text, markdown, HTML and annotations: what is said, and that nothing of a report gets out."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from compare_documents import H200, diagnosis, finding, instructions, kernel, launches, units

from ncuanalyze.compare import Comparison, Options, compare
from ncuanalyze.diagnosis import Bound, Device, Roof, Roofline, RooflinePoint
from ncuanalyze.render.comparison import COMPARISON_FORMATS, render_comparison
from ncuanalyze.render.comparison_text import render_text
from ncuanalyze.render.terminal import Style

HOSTILE = 'k<"&`|\\ @team #1 [x](javascript:1)><script>alert(1)</script>\u202e\x1b[31m\n::error::owned'
H100 = Device(name="NVIDIA H100 PCIe", compute_capability="9.0", sm_count=114)


def roofline(flop_per_s: float) -> Roofline:
    roofs = (
        Roof(name="FP32 FMA", kind="compute", level="fp32", per_s=6e13),
        Roof(name="DRAM", kind="memory", level="dram", per_s=4.8e12),
    )
    point = RooflinePoint(
        name="DRAM", level="dram", precision="fp32", flop=1e9, bytes=1e9, intensity=1.0, flop_per_s=flop_per_s
    )
    return Roofline(roofs=roofs, points=(point,), nearest_roof="DRAM", nearest_roof_pct=20)


def example() -> Comparison:
    base = diagnosis(
        kernel("slow", 1e6, bound=Bound.LATENCY, limiter="l2", speed_of_light=units(l2=90), roofline=roofline(1e11),
               cycles=1.9e6, sm_clock_hz=1.9e9, findings=(finding("a", 4.0, line=3),), metrics=instructions(1e6)),
        kernel("worse", 1e5),
        kernel("old", 3e4),
        *launches([10, 10.1, 10.2], "steady"),
        file="base.ncu-rep",
    )  # fmt: skip
    new = diagnosis(
        kernel("slow", 25e4, bound=Bound.MEMORY, limiter="dram", speed_of_light=units(l2=85, dram=92),
               roofline=roofline(4e11), cycles=4.8e5, sm_clock_hz=1.92e9, metrics=instructions(5e5)),
        kernel("worse", 2e5, findings=(finding("b", 1.5, line=9),)),
        kernel("fresh", 2e4),
        *launches([10, 10.1, 10.2], "steady"),
        file="new.ncu-rep",
    )  # fmt: skip
    return compare([base], [new])


def hostile() -> Comparison:
    one = kernel(
        HOSTILE, 1e6, demangled=HOSTILE, nvtx=(HOSTILE,), findings=(finding("a", 2.0, line=1, title=HOSTILE),)
    )
    other = kernel(HOSTILE, 2e6, demangled=HOSTILE, findings=(finding("b", 2.0, line=2, title=HOSTILE),))
    base = diagnosis(one, kernel(HOSTILE + "gone"), file=HOSTILE, ncu_version=HOSTILE, cache_control=HOSTILE)
    return compare(
        [base],
        [diagnosis(other, file=HOSTILE, ncu_version="2", device=Device(name=HOSTILE))],
        Options(force=True),
    )


def test_the_text_says_what_changed_and_why() -> None:
    text = render_comparison(example(), "text")
    assert text.startswith("Faster: 2.4×, 1.13 ms became 480 µs (−57.5%) over 3 matched kernels\n")
    assert "1 faster, 1 slower, 1 the same, 1 vanished, 1 new" in text
    assert "slow  faster 4.0×" in text
    assert "less work: it had 0.5x the instructions" in text or "work and rate" in text
    assert "limiter moved from l2 to dram" in text
    assert "gone: A (promised 4.0×" in text
    assert "vanished: old, 30 µs" in text
    assert "new: fresh, 20 µs" in text
    assert max(map(len, text.splitlines())) <= 80


def test_verbose_text_shows_work_and_rate() -> None:
    text = render_text(example(), Style(width=110, verbose=True))
    assert re.search(r"l2 busy time: 900 µs to 212 µs \(0\.236×\), rate 90% to 85%", text)
    assert "instructions: 1M" in text or "instructions" in text


def test_colour_only_where_it_is_wanted() -> None:
    assert "\x1b[" not in render_text(example(), Style(color=False))
    assert "\x1b[" in render_text(example(), Style(color=True))


def test_unfair_differences_come_first() -> None:
    text = render_comparison(compare([diagnosis(kernel())], [diagnosis(kernel(), device=H100)]), "text")
    assert text.startswith("Inconclusive: ")
    assert "unfair: GPU NVIDIA H200 against NVIDIA H100 PCIe: another GPU has other units" in " ".join(
        text.split()
    )


@pytest.mark.parametrize("count", [0, 1, 5, 200])
def test_the_comment_is_under_60_lines(count: int) -> None:
    base = [
        kernel(f"k{n}", 1e5 + n, findings=(finding("a", 2.0), finding("c", 2.0), finding("d", 2.0)))
        for n in range(count)
    ]
    new = [
        kernel(f"k{n}", 2e5 + n, findings=(finding("b", 3.0, line=1), finding("e", 3.0)))
        for n in range(count)
    ]
    more = {"ncu_version": "1", "cache_control": "all", "clock_control": "base", "replay_mode": "kernel"}
    other = {"ncu_version": "2", "cache_control": "none", "clock_control": "boost", "replay_mode": "range"}
    lone = [kernel(f"{letter}_{letter}") for letter in "abcdefg"]
    result = compare(
        [diagnosis(*base, *lone, **more)], [diagnosis(*new, kernel("zzz"), device=H100, **other)]
    )
    text = render_comparison(result, "markdown")
    assert text.startswith("<!-- ncuanalyze: comparison -->\n### ")
    assert len(text.splitlines()) < 60
    assert len(text) < 65_000


def test_the_comment_is_a_table_with_whole_rows() -> None:
    lines = render_comparison(example(), "markdown").splitlines()
    rows = [line for line in lines if line.startswith("|")]
    assert {line.count("|") for line in rows} == {8}
    assert any("`slow` | 1 ms | 250 µs | −75% | 🟢 faster |" in row for row in rows)
    assert "latency → memory" in "\n".join(rows)


class Page(HTMLParser):
    """Tags, links and scripts of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.tags.append(tag)
        self.ids += [found["id"]] if found.get("id") else []
        self.links += [value for name in ("href", "src") if (value := found.get(name))]
        assert not any(name.startswith("on") for name in found)


def parsed(text: str) -> Page:
    page = Page()
    page.feed(text)
    return page


def test_the_page_has_two_columns_and_arrows() -> None:
    text = render_comparison(example(), "html")
    page = parsed(text)
    assert page.tags.count("article") == 3
    assert all(link.startswith(("#", "data:")) for link in page.links)
    assert {link[1:] for link in page.links if link.startswith("#")} <= set(page.ids)
    assert len(page.ids) == len(set(page.ids))
    assert text.count('class="ncu-roofline"') == 2
    assert text.count('<g class="was">') == 1
    assert '<th scope="col">Base</th><th scope="col">New</th>' in text
    assert len(text) < 150_000


@pytest.mark.parametrize("form", list(COMPARISON_FORMATS))
def test_hostile_text_stays_text(form: str) -> None:
    text = render_comparison(hostile(), form)
    if form == "json":
        return
    assert "\u202e" not in text
    assert "\x1b" not in text
    if form == "html":
        assert "<script>alert" not in text
        assert parsed(text).tags.count("script") == 1
    if form == "markdown":
        outside = re.sub(r"<code>[^<]*</code>", "", text)
        outside = re.sub(r"(?<!`)(`+)(?!`).+?(?<!`)\1(?!`)", "", outside)
        assert not re.search(r"(?<!\\)<script", outside)
        assert "@team" not in outside
        assert "[x](" not in outside
    if form == "github":
        assert all(line.startswith("::") for line in text.splitlines())
        assert not any(line.startswith("::error::owned") for line in text.splitlines())


@pytest.mark.parametrize("form", list(COMPARISON_FORMATS))
def test_an_empty_match_is_said_in_every_format(form: str) -> None:
    result = compare([diagnosis(kernel("a"))], [diagnosis(kernel("b"))])
    text = render_comparison(result, form)
    assert text.strip()
    assert "n/a n/a" not in text


def test_annotations_stand_on_the_lines_of_new_findings() -> None:
    lines = render_comparison(example(), "github").splitlines()
    assert lines[0].startswith(
        "::error file=src/gemm.cu,line=9,title=worse is slower::100 µs became 200 µs (+100%25)"
    )
    assert (
        lines[1] == "::warning file=src/gemm.cu,line=9,title=worse::new: B (promises 1.50× (1.20× to 1.80×))"
    )
    assert lines[-1].startswith("::notice title=ncuanalyze compare::Faster")


def test_annotations_that_github_would_drop_are_counted() -> None:
    base = [kernel(f"{letter}x", 1e5) for letter in "abcdefghijklmnop"]
    new = [kernel(f"{letter}x", 3e5) for letter in "abcdefghijklmnop"]
    lines = render_comparison(compare([diagnosis(*base)], [diagnosis(*new)]), "github").splitlines()
    assert sum(line.startswith("::error") for line in lines) == 10
    assert lines[-1] == "::notice title=ncuanalyze::6 more, see the summary"


def test_devices_are_named() -> None:
    assert H200.name is not None
    assert H200.name in render_comparison(example(), "html")
