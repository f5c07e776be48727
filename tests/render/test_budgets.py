"""The page of a real report stays small: 150 KB for one kernel, 25 KB for each further one; markdown short."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from ncuanalyze.diagnose import Options, diagnose
from ncuanalyze.diagnosis import Diagnosis
from ncuanalyze.load import load
from ncuanalyze.render import html_report, markdown

ROOT = Path(__file__).parents[2]
TRITON = ROOT / "fixtures" / "reports" / "triton.ncu-rep.xz"
GEMM = ROOT / "../shared/planted/reports/gemm.ncu-rep.xz"
FIRST_BYTES, FURTHER_BYTES = 150_000, 25_000

REPORTS = [
    TRITON,
    pytest.param(GEMM, marks=pytest.mark.skipif(not GEMM.exists(), reason="the GEMM report is not here")),
]


@cache
def everything(report: Path) -> Diagnosis:
    return diagnose(load(str(report)), options=Options(hotspots=True, all_metrics=True))


@pytest.mark.parametrize("report", REPORTS)
def test_page_size(report: Path) -> None:
    document = everything(report)
    whole = len(html_report.render(document).encode())
    first = len(html_report.render(replace(document, kernels=document.kernels[:1])).encode())
    assert first <= FIRST_BYTES
    assert (whole - first) / (len(document.kernels) - 1) <= FURTHER_BYTES


@pytest.mark.parametrize("report", REPORTS)
def test_markdown_length(report: Path) -> None:
    assert markdown.render(everything(report)).count("\n") < 60


def test_the_source_of_triton_kernels_is_on_the_page() -> None:
    page = html_report.render(everything(TRITON))
    assert "acc = tl.dot(tl.load(pa), tl.load(pb), acc)" in page
    assert "torch_ops.py:101" in page
