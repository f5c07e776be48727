"""Pages made of hostile text: nothing runs, nothing is fetched, nothing grows out of the window."""

from __future__ import annotations

from pathlib import Path

import pytest
from render.documents import HOTSPOTS, diagnosis, kernel
from render.test_html_report import HOSTILE, poisoned

from ncuanalyze.diagnosis import from_dict, to_dict
from ncuanalyze.render.html_report import render

from .conftest import Opened

pytestmark = pytest.mark.browser

LONG = "averylongnamewithoutaspace" * 400


@pytest.mark.parametrize("poison", [HOSTILE, LONG, "<b>" * 3000, "</script><script>alert(1)</script>"])
@pytest.mark.parametrize("width", [360, 1280])
def test_hostile_text_neither_runs_nor_breaks_the_layout(
    opened: Opened, tmp_path: Path, poison: str, width: int
) -> None:
    data = to_dict(diagnosis(kernel(source_hotspots=HOTSPOTS), kernel()))
    file = tmp_path / "hostile.html"
    file.write_text(render(from_dict(poisoned(data, poison))), encoding="utf-8")
    page = opened(file, width=width)
    page.on("dialog", lambda dialog: pytest.fail(f"a script ran: {dialog.message}"))
    page.evaluate("document.querySelectorAll('details').forEach((node) => { node.open = true })")
    page.locator(".metric-list").first.wait_for()
    assert page.locator("img").count() == 0
    assert page.locator("script").count() == 2
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert page.get_by_role("heading", level=1).bounding_box()["height"] < 40_000
