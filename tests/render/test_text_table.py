"""The terminal's table: launches that tell the same are one line, and a long table is cut."""

from dataclasses import replace

from launches import FIXTURES

from ncuanalyze.cli.gather import gather
from ncuanalyze.diagnosis import Diagnosis
from ncuanalyze.render.terminal import Style
from ncuanalyze.render.text import render_text


def many(count: int, *, names: int) -> Diagnosis:
    """``count`` launches of ``names`` kernels, of one microsecond more each."""
    demo = gather([str(FIXTURES / "demo.raw.csv.xz")], "text", {})
    first = demo.kernels[0]
    kernels = tuple(
        replace(
            first,
            kernel=replace(first.kernel, id=str(number), name=f"k{number % names}", demangled=f"k{number % names}"),
            duration_ns=1e6 + 1e3 * number,
            time_share_pct=100 / count,
        )
        for number in range(count)
    )
    return replace(demo, kernels=kernels, groups=())


def test_launches_of_one_kernel_are_one_line_and_one_panel() -> None:
    text = render_text(many(500, names=2), Style())
    assert text.count("250× k0") == text.count("250× k1") == 1
    assert "the slowest of 250 such launches, 1 ms to 1.5 ms" in text
    assert len(text.splitlines()) < 60


def test_a_finding_too_long_for_the_line_is_cut_with_an_ellipsis() -> None:
    shared = many(2, names=2).kernels
    report = replace(
        many(2, names=2), kernels=tuple(replace(item, kernel=replace(item.kernel, name="k" * 40)) for item in shared)
    )
    rows = [line for line in render_text(report, Style()).splitlines() if "shared_bank" in line]
    assert all(line.endswith("…") and len(line) <= 80 for line in rows) and len(rows) == 2


def test_verbose_shows_every_launch() -> None:
    text = render_text(many(20, names=2), Style(verbose=True))
    assert text.count("Fix first") == 20
    assert "×  k0" not in text and "such launches" not in text


def test_a_long_table_is_cut() -> None:
    text = render_text(many(100, names=100), Style())
    assert "and 60 more with 60% of the time" in text
    assert "90 more kernels: -v, or --kernel REGEX." in text


def test_lines_fit_a_narrow_terminal() -> None:
    assert max(map(len, render_text(many(60, names=3), Style(width=60)).splitlines())) <= 60
