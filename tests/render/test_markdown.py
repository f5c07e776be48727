"""The comment under a pull request."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ncuanalyze.diagnosis import Kernel
from ncuanalyze.render.markdown import code, render, text

from .documents import COALESCING, bare_kernel, diagnosis, kernel


def test_the_comment_says_what_to_do() -> None:
    shown = render(diagnosis())
    assert "### `norm.ncu-rep`" in shown
    assert "could run 1.9 times as fast" in shown
    assert "| `app::norm_kernel<float, 8>` | 7.66 µs | 61.5% | memory | 91.3% of DRAM |" in shown
    assert "**Global accesses are not coalesced**, 1.90× (1.40× to 2.3×)" in shown
    assert "At `norm.py:83`." in shown
    assert "| `bare` | n/a | n/a | inconclusive | n/a |  |" in shown


def test_slowest_kernel_first_and_every_fold_closed() -> None:
    shown = render(diagnosis(bare_kernel(), kernel()))
    assert shown.index("norm_kernel&lt;float") < shown.index("<code>bare")
    assert shown.count("<details>") == shown.count("</details>") == 2
    assert "</summary>\n\n" in shown


@pytest.mark.parametrize("kernels", [1, 2, 12, 13, 500])
def test_under_sixty_lines_whatever_the_report(kernels: int) -> None:
    busy = kernel(findings=(COALESCING,) * 9)
    shown = render(diagnosis(*(busy,) * kernels, warnings=("careful",) * 20))
    assert shown.count("\n") < 60
    assert (f"| {kernels - 12} more |" in shown) == (kernels > 12)


def test_a_report_without_numbers_is_still_a_comment() -> None:
    shown = render(diagnosis(bare_kernel(), story="", warnings=(), groups=()))
    assert "Inconclusive: the report holds no throughput." in shown


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("a|b", r"`a\|b`"),
        ("`x`", "`` `x` ``"),
        ("a``b", "```a``b```"),
        ("", "` `"),
        ("two\nlines", "`two lines`"),
        ("k\u202e", r"`k\u202e`"),
    ],
)
def test_code_spans_hold_anything(value: str, shown: str) -> None:
    assert code(value) == shown


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("a_b", r"a\_b"),
        ("<img src=x onerror=alert(1)>", r"\<img src=x onerror=alert(1)\>"),
        ("[x](https://evil)", "\\[x\\](https:\u200b//evil)"),
        ("@team see #12", "@\u200bteam see #\u200b12"),
        ("www.evil.example", "www\u200b.evil.example"),
        ("a | b", r"a \| b"),
        ("# title", r"\# title"),
        ("&lt;", "&amp;lt;"),
        ("one\n\n<b>", r"one \<b\>"),
    ],
)
def test_text_is_only_text(value: str, shown: str) -> None:
    assert text(value) == shown


def test_hostile_names_stay_inside_their_cells() -> None:
    name = "k|`</summary>\n\n# big @team " + "x" * 10_000
    hostile = kernel(kernel=replace(kernel().kernel, demangled=name, name=name))
    shown = render(diagnosis(hostile, kernel(kernel=Kernel(id="1", name=name, demangled=name))))
    rows = [line for line in shown.splitlines() if line.startswith("| `")]
    assert all(row.replace(r"\|", "").count("|") == 7 for row in rows)
    assert not any(line.startswith("# big") for line in shown.splitlines())
    assert "</summary>\n\n# big" not in shown
    assert max(len(line) for line in shown.splitlines()) < 2000


def test_kernels_of_one_name_are_told_apart_by_their_ranges() -> None:
    one, two = (
        replace(
            kernel(),
            kernel=Kernel(id=str(number), name="mm", demangled="mm", grid=(number, 1, 1), nvtx=(f"step|{number}",)),
        )
        for number in (1, 2)
    )
    page = render(diagnosis(one, two))
    assert "`mm` in `step\\|1`" in page
    assert "<code>mm</code> in <code>step|2</code>" in page
    assert " in `" not in render(diagnosis(one))
