"""The index page: adds up what the dataset holds, and shows hostile names as text."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from batch.in_process import ODD, run
from ncuanalyze.batch.ledger import read_ledger
from ncuanalyze.batch.totals import index_of
from ncuanalyze.render.batch_index import BatchIndex, KernelTotal, ReportLine, render

pq = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    output = tmp_path_factory.mktemp("dataset") / "out"
    reports = ("raw_units.csv", "small_3kernels.ncu-rep", "kernel_names.csv", "empty.csv", "l2_hit_171.csv")
    run([*(ODD / name for name in reports), ODD.parent / "triples" / "c26.ncu-rep.xz"], output)
    return output


def index(dataset: Path) -> BatchIndex:
    return index_of([dataset / "kernels" / "part-00000.parquet"], list(read_ledger(dataset / "reports.jsonl")))


def test_totals_are_those_of_the_rows(dataset: Path) -> None:
    rows = pq.read_table(dataset / "kernels" / "part-00000.parquet").to_pylist()
    page = index(dataset)
    assert (page.report_count, page.error_count, page.kernel_count) == (6, 1, len(rows))
    assert page.total_ns == pytest.approx(sum(row["duration_ns"] or 0 for row in rows))
    assert page.saved_ns == pytest.approx(sum(row["saved_ns"] or 0 for row in rows))
    assert sum(share.kernels for gpu in page.gpus for share in gpu.bounds) == len(rows)
    for gpu in page.gpus:
        assert sum(share.share_pct or 0 for share in gpu.bounds) == pytest.approx(100 if gpu.total_ns else 0)
    assert sum(kernel.launches for kernel in page.kernels) == len(rows)
    assert [kernel.saved_ns for kernel in page.kernels] == sorted((k.saved_ns for k in page.kernels), reverse=True)
    assert {cause.id for cause in page.causes} == {row["cause"] for row in rows} - {None}


class Page(HTMLParser):
    """Collects the elements that could load, run or leave."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.tags: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.links += [value or "" for name, value in attrs if name in ("href", "src")]


def test_the_page_stands_alone_and_names_what_was_not_read(dataset: Path) -> None:
    text = (dataset / "index.html").read_text()
    page = Page(text)
    outside = [link for link in page.links if re.match(r"[a-z]+:", link) and not link.startswith("data:,")]
    assert outside == []
    assert {"kernels/", "diagnoses/", "reports.jsonl", "errors.jsonl"} <= set(page.links)
    assert "empty.csv is an empty file" in text


def test_hostile_names_are_shown_as_text() -> None:
    hostile = "<script>alert(1)</script>\u202e\" onload='x'&{{ 7*7 }}"
    kernel = KernelTotal(
        gpu=hostile,
        name=hostile,
        launches=1,
        total_ns=1.0,
        saved_ns=0.0,
        headroom_pct=None,
        bound=hostile,
        cause=hostile,
    )
    line = ReportLine(name=hostile, message=hostile, hint=hostile, ending="refused")
    text = render(
        BatchIndex(
            tool="ncuanalyze",
            report_count=2,
            kernel_count=1,
            error_count=1,
            total_ns=1.0,
            saved_ns=0.0,
            name_count=1,
            first="",
            last="",
            gpus=(),
            causes=(),
            kernels=(kernel,),
            reports=(line,),
            errors=(line,),
            files=(),
        )
    )
    assert Page(text).tags.count("script") == 1
    assert "alert(1)</script>" not in text
    assert "\u202e" not in text
    assert "{{ 7*7 }}" in text


def test_an_empty_dataset_has_a_page(tmp_path: Path) -> None:
    run([ODD / "empty.csv"], tmp_path / "out")
    assert "1 reports, 0 kernel launches" in (tmp_path / "out" / "index.html").read_text()
