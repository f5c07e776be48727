"""The page as a document: what it says, that it stands alone, and that nothing in a report breaks it."""

from __future__ import annotations

import re
from base64 import b64encode
from collections import Counter
from dataclasses import replace
from hashlib import sha256
from html.parser import HTMLParser

import pytest

from ncuanalyze.diagnosis import (
    Diagnosis,
    Finding,
    Kernel,
    Missing,
    NvidiaResult,
    SourceHotspots,
    SourceLine,
    from_dict,
    to_dict,
)
from ncuanalyze.render.html_asides import collect_command
from ncuanalyze.render.html_report import render
from ncuanalyze.render.html_shell import bar_step

from .documents import COALESCING, FILE, HOTSPOTS, alike_launches, bare_kernel, diagnosis, kernel

VOID = {"meta", "link", "input", "br", "hr", "img"}
HOSTILE = (
    "\"'><img src=x onerror=alert(1)><script>alert(2)</script>{{7*7}}{% x %}\u202e\x00\x1b[31m&#60;b&#62;"
)


class Document(HTMLParser):
    """Tags, attributes and text; fails on tags that do not nest."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.raw: dict[str, list[str]] = {"script": [], "style": []}
        self._open: list[str] = []
        self.feed(page)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        inside = self._open[-1] if self._open else ""
        self.raw.get(inside, self.texts).append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.texts).split())

    def values(self, attribute: str) -> list[str]:
        return [value for _, attrs in self.tags if (value := attrs.get(attribute)) is not None]


@pytest.fixture(scope="module")
def page() -> Document:
    return Document(render(diagnosis()))


@pytest.mark.parametrize(
    "said",
    [
        "norm.ncu-rep",
        "could run 1.9 times as fast",
        "NVIDIA H200, CC 9.0, 132 SMs",
        "Clocks none",
        "The clocks were not locked",
        "app::norm_kernel<float, 8>",
        "void app::norm_kernel<float, (int)8>(float const *, float *, int)",
        "91.3% of DRAM",
        "DRAM throughput 91.3% ≥ 80%",
        "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed",
        "Global accesses are not coalesced",
        "1.90× 1.40× to 2.3×",
        "Let neighbouring threads read neighbouring addresses.",
        "Low confidence; overlaps uncoalesced global access",
        "long scoreboard",
        "waits for global memory",
        "registers",
        "L2: hit rate above 100%.",
        "LDG.E R6, desc[UR4][R6.64]",
        "v = load(x + r*n + i)",
        "32 (ideal 4)",
        "PM sampling: not collected ncu --section PmSampling",
        "Memory is more heavily utilized than compute.",
        "Inconclusive: the report holds no throughput.",
    ],
)
def test_the_page_says(page: Document, said: str) -> None:
    assert said.lower() in page.text.lower()


def test_slowest_kernel_first_and_one_kernel_without_a_table() -> None:
    shown = render(diagnosis(bare_kernel(), kernel()))
    assert shown.index('id="k0"') < shown.index('id="k1"')
    assert shown.index('<h2 id="k0-h"><code>app::norm') < shown.index('<h2 id="k1-h"><code>bare')
    assert 'id="table"' not in render(diagnosis(kernel()))


def test_findings_link_to_the_lines_that_cause_them(page: Document) -> None:
    targets = [value for value in page.values("href") if value.startswith("#k0-l")]
    assert "#k0-l0" in targets
    elsewhere = SourceLine(file=FILE, line=999, share_pct=50.0, counter="excess global sectors")
    shown = render(diagnosis(kernel(findings=(replace(COALESCING, source_lines=(elsewhere,)),))))
    assert "norm.py:999" in shown and "norm.py:999</a>" not in shown


def test_findings_of_the_report_link_to_their_kernels() -> None:
    chain = Finding(id="unfused", title="Chain", message="Three kernels in a row.", kernels=("0", "1", "77"))
    shown = render(diagnosis(findings=(chain,)))
    across = shown[shown.index("Across kernels") : shown.index('id="kernels"')]
    assert re.findall(r'href="(#k\d)"', across) == ["#k0", "#k1"]


def test_every_anchor_has_one_target(page: Document) -> None:
    ids = Counter(page.values("id"))
    assert max(ids.values()) == 1
    for reference in [value[1:] for value in page.values("href") if value.startswith("#")]:
        assert reference in ids
    for references in page.values("aria-labelledby"):
        assert all(reference in ids for reference in references.split())


def test_tables_have_headers_and_drawings_have_names(page: Document) -> None:
    scopes = [attrs.get("scope") for tag, attrs in page.tags if tag == "th"]
    assert set(scopes) == {"row", "col"}
    for tag, attrs in page.tags:
        if tag == "svg":
            assert attrs.get("aria-hidden") == "true" or attrs.get("aria-label")


def test_nothing_is_loaded_from_elsewhere(page: Document) -> None:
    assert page.values("src") == [] and page.values("srcset") == []
    assert [attrs["href"] for tag, attrs in page.tags if tag == "link"] == ["data:,"]
    assert not re.search(r"url\(|@import", "".join(page.raw["style"]))


def test_the_policy_allows_the_page_s_own_style_and_script_only(page: Document) -> None:
    (policy,) = (attrs["content"] for _, attrs in page.tags if attrs.get("http-equiv"))
    scripts = [attrs for tag, attrs in page.tags if tag == "script" and not attrs.get("type")]
    assert len(scripts) == 1
    for text, directive in ((page.raw["style"][0], "style-src"), (page.raw["script"][-1], "script-src")):
        digest = b64encode(sha256(text.encode()).digest()).decode()
        assert f"{directive} 'sha256-{digest}'" in (policy or "")
    assert "default-src 'none'" in (policy or "") and "unsafe" not in (policy or "")
    assert page.values("style") == []
    assert not [name for _, attrs in page.tags for name in attrs if name.startswith("on")]


def test_links_leave_only_over_https_and_without_a_referrer() -> None:
    links = (
        ("ok", "https://docs.nvidia.com/x"),
        ("bad", "javascript:alert(1)"),
        ("worse", "data:text/html,x"),
    )
    result = NvidiaResult(rule="r", section="s", title="t", message="m", kind="ok", links=links)
    shown = Document(render(diagnosis(kernel(nvidia_results=(result,)))))
    outside = [attrs for tag, attrs in shown.tags if tag == "a" and not (attrs["href"] or "").startswith("#")]
    assert [(attrs["href"], attrs["rel"]) for attrs in outside] == [
        ("https://docs.nvidia.com/x", "noopener noreferrer")
    ]


def poisoned(value: object, poison: str) -> object:
    """The same JSON with every free text replaced; enumerations, schema and addresses of links stay."""
    keep = {"schema", "bound", "severity", "confidence", "kind", "relation", "workload"}
    if isinstance(value, dict):
        return {name: item if name in keep else poisoned(item, poison) for name, item in value.items()}
    if isinstance(value, list):
        return [poisoned(item, poison) for item in value]
    return poison if isinstance(value, str) and not value.startswith("https://") else value


@pytest.mark.parametrize("poison", [HOSTILE, "x" * 10_000, "<" * 10_000, "</script><style>*{}</style>", ""])
def test_hostile_text_in_every_place_stays_text(poison: str) -> None:
    clean = Document(render(diagnosis(kernel(source_hotspots=HOTSPOTS, metrics=()))))
    data = to_dict(diagnosis(kernel(source_hotspots=HOTSPOTS, metrics=())))
    bad: Diagnosis = from_dict(poisoned(data, poison))
    shown = render(bad)
    document = Document(shown)
    allowed = Counter(tag for tag, _ in clean.tags)
    assert set(Counter(tag for tag, _ in document.tags)) <= set(allowed) | {"em"}
    assert [attrs for tag, attrs in document.tags if tag == "img"] == []
    assert len([tag for tag, _ in document.tags if tag == "script"]) == allowed["script"]
    assert not any(char in shown for char in "\u202e\x00\x1b")
    assert "49" not in [text.strip() for text in document.texts]


def test_full_name_only_where_it_was_shortened() -> None:
    same = Kernel(id="0", name="vadd", demangled="vadd")
    assert "Full name" not in render(diagnosis(kernel(kernel=same)))


def test_few_samples_show_the_note_and_no_table() -> None:
    few = SourceHotspots(samples=37, lines=(), context={}, enough_samples=False, note="only 37 samples")
    shown = render(diagnosis(kernel(source_hotspots=few)))
    assert "only 37 samples" in shown and 'class="hot"' not in shown


@pytest.mark.parametrize(
    ("collect", "command"),
    [
        ((), ""),
        (("",), ""),
        (("--page raw",), ""),
        (
            ("--section A --section B", "--section B", "ncu --section C"),
            "ncu --section A --section B --section C",
        ),
    ],
)
def test_one_command_collects_what_is_missing(collect: tuple[str, ...], command: str) -> None:
    missing = [Missing(what="w", reason="r", collect=option) for option in collect]
    assert collect_command(missing) == command


@pytest.mark.parametrize(
    ("value", "step"), [(None, 0), (0.0, 0), (0.001, 1), (46.4, 46), (100.0, 100), (171.0, 100), (-5.0, 0)]
)
def test_bar_step(value: float | None, step: int) -> None:
    assert bar_step(value) == step


def test_launches_that_tell_the_same_share_a_row_and_a_panel() -> None:
    """A page of five hundred launches had five hundred panels."""
    ranking = Finding(id="r", title="R", message="M", kind="ranking", kernels=("100", "101", "102", "1"))
    document = diagnosis(*alike_launches(3), bare_kernel(), findings=(ranking,), groups=())
    page = Document(render(document))
    articles = [attrs for tag, attrs in page.tags if tag == "article"]
    assert [attrs["id"] for attrs in articles] == ["k0", "k1"]
    for said in (
        "Kernels 2 Launches 4",
        "3 launches, grid 4,096, train 6 µs 6%",
        "6 µs in 3 launches, 1 µs to 3 µs each; the slowest is shown · 6% of the time",
        "NVTX train · launch 102",
        "Every launch 3",
        "100 1 µs 1% 12% 91.3% train / step 0 101 2 µs 2% 12% 91.3% train / step 1 102 3 µs 3%",
        "In app::norm_kernel<float, 8> , bare medium",
    ):
        assert said in page.text


def test_a_launch_alone_has_no_list_of_launches(page: Document) -> None:
    assert "Every launch" not in page.text


def test_a_further_launch_of_a_kernel_is_a_line() -> None:
    few, many = (len(render(diagnosis(*alike_launches(count)))) for count in (10, 510))
    assert (many - few) / 500 < 250
