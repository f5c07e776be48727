"""Names from a report in every output: whatever they hold, they stay text in a line; JSON keeps them as they are."""

from __future__ import annotations

import csv
import io
import json
import re
import unicodedata
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from render.documents import diagnosis, kernel

from fuzz.damage import examples
from fuzz.targets import every_output
from ncuanalyze.compare import compare
from ncuanalyze.diagnosis import Diagnosis
from ncuanalyze.gate import check, parse_budget
from ncuanalyze.render.check import CHECK_FORMATS, render_check
from ncuanalyze.render.comparison import COMPARISON_FORMATS, render_comparison

NAMES = st.one_of(
    st.text(st.characters(exclude_categories=("Cs",)), max_size=40),
    st.lists(
        st.sampled_from(
            ["<script>alert(1)</script>", "</style>", "\x1b[31m", "\x1b]0;t\x07", "\u202e", "\u2028", "\r\n",
             "::error::x", "%0A", "`", "``", "|", "**", "![x](http://e.example/i.png)", "@everyone", "#1", "=cmd()",
             "+1", "-1", "\x00", "\t", "operator()", "gemm<float, (int)4>", "a" * 300, "{{7*7}}", "{% x %}", "&lt;",
             "'", '"', "\\"]
        ),
        min_size=1, max_size=4,
    ).map("".join),
)  # fmt: skip
BUDGET = parse_budget('[[budget]]\nkernel = "*"\nassert = ["duration_us < 0.001", "no finding"]')


def named(name: str) -> Diagnosis:
    made = kernel()
    hostile = replace(made.kernel, name=name, demangled=name, nvtx=(name,))
    whole = diagnosis(replace(made, kernel=hostile))
    return replace(whole, source=replace(whole.source, file=name), device=replace(whole.device, name=name))


def is_quiet(text: str, allowed: str = "\n\t") -> bool:
    """Whether no character of a text moves the cursor, turns the writing direction or breaks a line unseen."""
    return not any(char not in allowed and unicodedata.category(char) in ("Cc", "Cf", "Zl", "Zp") for char in text)


def is_tame(markdown: str) -> bool:
    """Whether a page made of it holds no element of the name's; a zero-width space keeps an @ from being a mention."""
    page = MarkdownIt("commonmark", {"html": True}).enable("table").render(markdown)
    return is_quiet(markdown, "\n\t\u200b") and not re.search(r"<(script|img|style|a )|</style", page)


@examples(60)
@given(NAMES)
def test_a_diagnosis(name: str) -> None:
    texts = every_output(named(name))
    assert is_quiet(texts["text"])
    assert is_tame(texts["markdown"])
    assert is_quiet(texts["html"])
    assert "<script>alert" not in texts["html"]
    assert json.loads(texts["json"])["kernels"][0]["kernel"]["name"] == name
    rows = list(csv.reader(io.StringIO(texts["csv"])))
    assert len(rows) == 2
    assert len(rows[0]) == len(rows[1])
    assert not any(cell.startswith(("=", "+", "@", "\t", "\r")) for cell in rows[1])


@examples(40)
@given(NAMES)
def test_a_comparison(name: str) -> None:
    comparison = compare([named(name)], [named(name)])
    texts = {form: render_comparison(comparison, form) for form in COMPARISON_FORMATS}
    assert all(is_quiet(texts[form]) for form in ("text", "html", "github"))
    assert is_tame(texts["markdown"])
    assert "<script>alert" not in texts["html"]
    json.loads(texts["json"])


@examples(40)
@given(NAMES)
def test_a_check(name: str) -> None:
    result = check(named(name), BUDGET)
    texts = {form: render_check(result, form) for form in CHECK_FORMATS}
    assert all(is_quiet(texts[form]) for form in ("text", "github"))
    assert is_tame(texts["markdown"])
    commands = [line for line in texts["github"].splitlines() if line.startswith("::")]
    assert all(line.startswith(("::error", "::warning", "::notice")) for line in commands)
    assert len(commands) == len(render_check(check(named("plain"), BUDGET), "github").splitlines())
