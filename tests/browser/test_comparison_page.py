"""The comparison's and the trend's page in a browser: silent, readable at 360 px, printable, without JavaScript."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from compare_documents import diagnosis, launches

from ncuanalyze.compare import Options, compare, parse_pair
from ncuanalyze.diagnose import diagnose
from ncuanalyze.history import KernelRow, trend_of
from ncuanalyze.load import load
from ncuanalyze.render.comparison_html import render
from ncuanalyze.render.trend_html import render as render_trend

pytestmark = pytest.mark.browser
DEMO = Path(__file__).parents[2] / "fixtures" / "demo.ncu-rep.xz"
Opened = Callable[..., Any]


@pytest.fixture(scope="module")
def comparison(tmp_path_factory: pytest.TempPathFactory) -> Path:
    report = [diagnose(load(str(DEMO)))]
    result = compare(report, report, Options(pairs=(parse_pair("c04_bank=c04_bank_fix"),)))
    file = tmp_path_factory.mktemp("compare") / "c.html"
    file.write_text(render(result), encoding="utf-8")
    return file


@pytest.fixture(scope="module")
def trend(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rows = [
        KernelRow(
            commit=f"c{day:02}", branch="main", at=f"2026-01-{day:02}", file="r", gpu="H200", name="gemm", nvtx="",
            grid="1x1x1", block="", launches=1, duration_ns=1e5 if day < 9 else 2e5, total_ns=None, cycles=None,
            bound="memory", limiter="",
        )
        for day in range(1, 15)
    ]  # fmt: skip
    file = tmp_path_factory.mktemp("trend") / "t.html"
    file.write_text(render_trend(trend_of(rows)), encoding="utf-8")
    return file


@pytest.mark.parametrize("name", ["comparison", "trend"])
@pytest.mark.parametrize("width", [360, 1280])
def test_nothing_is_wider_than_the_window(opened: Opened, request: Any, name: str, width: int) -> None:
    page = opened(request.getfixturevalue(name), width=width)
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_both_sides_and_the_arrows_are_shown(opened: Opened, comparison: Path) -> None:
    page = opened(comparison)
    assert page.locator("svg.ncu-roofline:visible").count() == 2
    assert page.locator("g.was").count() >= 1
    assert page.locator("table.sides:visible").count() >= 2
    assert "faster" in page.locator(".verdict-tag").first.inner_text()


def test_without_javascript_everything_is_there(opened: Opened, comparison: Path) -> None:
    page = opened(comparison, java_script_enabled=False)
    assert page.locator("form.tools").is_hidden()
    assert page.locator("article.panel").count() == 1


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_trend_is_drawn_in_both_schemes(opened: Opened, trend: Path, scheme: str) -> None:
    page = opened(trend, color_scheme=scheme)
    assert page.locator("svg.trend .change").count() == 1
    assert page.locator("svg.trend .worse").text_content() == "+100%"


def test_many_kernels_are_folded(opened: Opened, tmp_path: Path) -> None:
    many = [launch for letter in "abcdefgh" for launch in launches([100], f"{letter}x")]
    file = tmp_path / "many.html"
    file.write_text(render(compare([diagnosis(*many)], [diagnosis(*many)])), encoding="utf-8")
    page = opened(file)
    assert page.locator("details.body[open]").count() == 1
    page.get_by_role("button", name="Open all").click()
    assert page.locator("details.body[open]").count() == 8
