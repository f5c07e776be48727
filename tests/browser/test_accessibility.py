"""What axe-core finds on the page: nothing, in either colour scheme and at phone width."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from .conftest import Opened

pytestmark = pytest.mark.browser

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


def complaints(page: Any) -> list[str]:
    """Rule, selector and summary of every violation."""
    axe = pytest.importorskip("axe_core_python.sync_playwright", reason="axe-core-python is not installed")
    options = {"runOnly": {"type": "tag", "values": RULES}}
    found = axe.Axe().run(page, options=options)["violations"]
    return [
        f"{violation['id']}: {node['target']} {node['failureSummary']}"
        for violation in found
        for node in violation["nodes"]
    ]


@pytest.mark.parametrize("name", ["one", "alike", "two", "triton"])
@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 1280), ("light", 360)])
def test_axe_finds_nothing(
    opened: Opened, pages: dict[str, Path], name: str, scheme: str, width: int
) -> None:
    page = opened(pages[name], width=width, color_scheme=scheme)
    long = name == "triton"
    if long:  # one panel of ten: they share their template, and axe takes a second each
        page.evaluate("document.querySelectorAll('article:not(#k0)').forEach((node) => node.remove())")
    folded = "#k0 details:not(.metrics)" if long else "#k0 details"
    page.evaluate(f"document.querySelectorAll('{folded}').forEach((node) => {{ node.open = true }})")
    if not long:
        page.locator("#k0 .metric-list").wait_for()
    assert complaints(page) == []
