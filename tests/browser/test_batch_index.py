"""The index page of a batch in a browser: silent, sortable, readable at 360 px, and axe finds nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from batch.in_process import ODD, run

from .conftest import Opened
from .test_accessibility import complaints

pytest.importorskip("pyarrow", reason="pyarrow is not installed")
pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    output = tmp_path_factory.mktemp("dataset") / "out"
    names = ("raw_units.csv", "kernel_names.csv", "small_3kernels.ncu-rep", "empty.csv")
    run([*(ODD / name for name in names), ODD.parent / "triples" / "eager.raw.csv.xz"], output)
    return output / "index.html"


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 360)])
def test_axe_finds_nothing_and_nothing_overflows(opened: Opened, index: Path, scheme: str, width: int) -> None:
    page = opened(index, width=width, color_scheme=scheme)
    page.evaluate("document.querySelectorAll('details').forEach((node) => { node.open = true })")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert complaints(page) == []


def test_kernels_are_sorted_and_filtered(opened: Opened, index: Path) -> None:
    page = opened(index)
    times = "[...document.querySelectorAll('#table tbody tr')].map((row) => Number(row.cells[3].dataset.v))"
    page.get_by_role("button", name="Time").click()
    assert page.evaluate(times) == sorted(page.evaluate(times), reverse=True)
    page.get_by_role("button", name="Time").click()
    assert page.evaluate(times) == sorted(page.evaluate(times))
    page.locator("#filter").fill("add")
    rows = page.locator("#table tbody tr:visible")
    assert 0 < rows.count() < page.locator("#table tbody tr").count()
    assert all("add" in text.lower() for text in rows.all_inner_texts())


def test_without_javascript_everything_is_there(opened: Opened, index: Path) -> None:
    page = opened(index, java_script_enabled=False)
    assert page.locator("#table tbody tr").count() > 10
    assert not page.locator(".tools").is_visible()
