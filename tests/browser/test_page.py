"""The page in a real browser: quiet, offline, sortable, readable at every width, in the dark and on paper."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from .conftest import Opened

pytestmark = pytest.mark.browser

Pages = dict[str, Path]
NAMES = ["one", "two", "alike", "triton"]
WIDTHS = [360, 768, 1280, 1920]


def names_in_table(page: Any) -> list[str]:
    """The kernels of the visible rows, top down."""
    return [cell.inner_text() for cell in page.locator("#table tbody tr:visible th a").all()]


def column(page: Any, place: int) -> list[float]:
    """The sort values of a column of the kernel table, top down."""
    return [
        float(cell.get_attribute("data-v"))
        for cell in page.locator(f"#table tbody td:nth-child({place})").all()
    ]


def open_all(page: Any) -> None:
    page.evaluate("document.querySelectorAll('details').forEach((node) => { node.open = true })")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_opens_without_a_word_or_a_request(
    opened: Opened, pages: Pages, name: str, scheme: str
) -> None:
    page = opened(pages[name], color_scheme=scheme, offline=True)
    open_all(page)
    page.locator(".metric-list").first.wait_for()
    assert page.locator("h1").count() == 1


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_is_wider_than_the_window(opened: Opened, pages: Pages, name: str, width: int) -> None:
    page = opened(pages[name], width=width)
    open_all(page)
    assert page.evaluate("document.documentElement.scrollWidth") == width


def test_a_kernel_without_charts_has_no_room_for_them(opened: Opened, pages: Pages) -> None:
    page = opened(pages["two"])
    open_all(page)
    empty = ":is(.pair, .instruments):not(:has(section))"
    assert page.locator(empty).count() > 0
    assert page.locator(f"{empty} >> visible=true").count() == 0


def test_sorting_by_a_column_both_ways(opened: Opened, pages: Pages) -> None:
    page = opened(pages["triton"])
    times = column(page, 2)
    assert times == sorted(times, reverse=True)
    for place, name in ((2, "Time"), (3, "Share"), (6, "Of peak"), (7, "Headroom")):
        page.get_by_role("button", name=name).click()
        first = column(page, place)
        page.get_by_role("button", name=name).click()
        assert {tuple(first), tuple(column(page, place))} == {
            tuple(sorted(first)),
            tuple(sorted(first, reverse=True)),
        }
    head = page.locator("#table th").first
    head.get_by_role("button").click()
    assert head.get_attribute("aria-sort") == "ascending"
    names = names_in_table(page)
    assert names == sorted(names)
    assert page.locator("th[aria-sort]").count() == 1


def test_sorting_by_keyboard(opened: Opened, pages: Pages) -> None:
    page = opened(pages["triton"])
    page.get_by_role("button", name="Bound").focus()
    page.keyboard.press("Enter")
    assert page.get_by_role("columnheader", name="Bound").get_attribute("aria-sort") == "ascending"


def test_filter_hides_rows_and_panels_and_says_so(opened: Opened, pages: Pages) -> None:
    page = opened(pages["triton"])
    page.get_by_label("Filter").fill("attn spilling")
    assert names_in_table(page) == ["attn_kernel"]
    assert page.locator("article:visible").count() == 1
    assert page.locator("#shown").inner_text() == "1 of 10 kernels"
    page.get_by_label("Filter").fill("nothing is called this")
    assert names_in_table(page) == []
    page.get_by_label("Filter").fill("")
    assert len(names_in_table(page)) == 10


def test_the_filter_finds_a_range_of_any_launch(opened: Opened, pages: Pages) -> None:
    page = opened(pages["alike"])
    page.get_by_label("Filter").fill("step 7")
    assert names_in_table(page) == ["app::norm_kernel<float, 8>"]
    assert page.locator("#shown").inner_text() == "1 of 2 kernels"


def test_every_launch_is_listed_below_its_kernel(opened: Opened, pages: Pages) -> None:
    page = opened(pages["alike"], width=360)
    page.locator("#k0 .launches summary").click()
    lines = page.locator("#k0 .launches tbody tr")
    assert lines.count() == 40
    assert lines.last.inner_text().split() == ["139", "40", "µs", "40%", "12%", "91.3%", "train", "/", "step", "39"]


def test_only_the_first_of_many_panels_is_open_and_all_fold(opened: Opened, pages: Pages) -> None:
    page = opened(pages["triton"])
    bodies = page.locator("details.body")
    assert [body.get_attribute("open") is not None for body in bodies.all()] == [True] + [False] * 9
    page.get_by_role("button", name="Open all").click()
    assert page.locator("details.body[open]").count() == 10
    page.get_by_role("button", name="Close all").click()
    assert page.locator("details.body[open]").count() == 0


def test_a_row_leads_to_its_panel_and_opens_it(opened: Opened, pages: Pages) -> None:
    page = opened(pages["triton"], reduced_motion="reduce")
    page.locator('#table a[href="#k4"]').click()
    page.locator("#k4 details.body[open]").wait_for()
    assert page.evaluate("document.getElementById('k4').getBoundingClientRect().top") < 900


def test_a_link_into_a_closed_panel_opens_it(opened: Opened, pages: Pages) -> None:
    page = opened(pages["triton"], anchor="#k1-l0")
    page.locator("#k1 details.body[open]").wait_for()
    assert page.locator("#k1-l0").is_visible()


def test_every_link_inside_the_page_has_a_target(opened: Opened, pages: Pages) -> None:
    page = opened(pages["triton"])
    links = "[...document.querySelectorAll('a[href^=\"#\"]')]"
    missing = page.evaluate(f"{links}.filter((a) => !document.querySelector(a.hash)).length")
    assert missing == 0
    assert page.locator("a[href^='#']").count() > 20


def test_metrics_are_unpacked_and_searched(opened: Opened, pages: Pages) -> None:
    page = opened(pages["triton"])
    fold = page.locator("#k0 details.metrics")
    fold.locator("summary").click()
    rows = fold.locator("tbody tr")
    rows.first.wait_for()
    assert rows.count() == 200
    fold.get_by_label("Search").fill("gpu__time_duration sum")
    assert rows.count() == 1
    assert rows.first.inner_text().split() == ["gpu__time_duration.sum", "1,154,080", "ns"]
    fold.get_by_label("Search").fill("no such metric")
    assert fold.locator("output").inner_text() == "0 metrics"


def test_without_javascript_everything_but_the_metric_list_is_there(opened: Opened, pages: Pages) -> None:
    page = opened(pages["triton"], java_script_enabled=False)
    assert page.locator("#table tbody tr").count() == 10
    assert page.locator(".tools").is_hidden()
    page.locator("#k3 summary").first.click()
    assert page.locator("#k3 .chart svg").is_visible()
    page.locator("#k3 details.metrics summary").click()
    assert "ncuanalyze metrics" in page.locator("#k3 details.metrics").inner_text()


def test_dark_and_light_have_their_own_paper(opened: Opened, pages: Pages) -> None:
    paper = "getComputedStyle(document.body).backgroundColor"
    assert opened(pages["one"], color_scheme="light").evaluate(paper) == "rgb(255, 255, 255)"
    assert opened(pages["one"], color_scheme="dark").evaluate(paper) != "rgb(255, 255, 255)"


def test_print_opens_every_panel_and_drops_the_controls(opened: Opened, pages: Pages) -> None:
    page = opened(pages["triton"], color_scheme="dark")
    assert len(page.pdf()) > 50_000
    assert page.locator("details.body[open]").count() == 1
    page.emulate_media(media="print")
    assert page.locator(".tools").is_hidden()
    assert page.evaluate("getComputedStyle(document.body).color") == "rgb(0, 0, 0)"


def test_no_motion_where_the_reader_wants_none(opened: Opened, pages: Pages) -> None:
    behaviour = "getComputedStyle(document.documentElement).scrollBehavior"
    assert opened(pages["one"], reduced_motion="reduce").evaluate(behaviour) == "auto"
    assert opened(pages["one"], reduced_motion="no-preference").evaluate(behaviour) == "smooth"


def test_screenshots_are_not_blank(opened: Opened, pages: Pages, tmp_path: Path) -> None:
    for scheme, width in (("light", 1280), ("dark", 1280), ("light", 360)):
        page = opened(pages["triton"], width=width, color_scheme=scheme)
        page.screenshot(path=tmp_path / f"{scheme}-{width}.png", full_page=True)
        assert (tmp_path / f"{scheme}-{width}.png").stat().st_size > 40_000
