"""A headless Chromium for the page's tests; they are skipped, with the reason, where there is none."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FIXTURE = Path(__file__).parents[2] / "fixtures" / "reports" / "triton.ncu-rep.xz"

Opened = Callable[..., Any]


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """The system's Chromium, driven by playwright."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    path = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    if path is None:
        pytest.skip(f"none of {', '.join(BROWSERS)} is installed")
    with playwright.sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The rendered files under test, by name."""
    from render.documents import alike_launches, bare_kernel, diagnosis, kernel

    from ncuanalyze.diagnose import Options, diagnose
    from ncuanalyze.load import load
    from ncuanalyze.render.html_report import render

    everything = Options(hotspots=True, all_metrics=True)
    documents = {
        "one": diagnosis(kernel()),
        "two": diagnosis(kernel(), bare_kernel()),
        "alike": diagnosis(*alike_launches(40), bare_kernel()),
        "triton": diagnose(load(str(FIXTURE)), options=everything),
    }
    folder = tmp_path_factory.mktemp("pages")
    written = {name: folder / f"{name}.html" for name in documents}
    for name, document in documents.items():
        written[name].write_text(render(document), encoding="utf-8")
    return written


@pytest.fixture
def opened(browser: Any) -> Iterator[Opened]:
    """Opens a file; when the test ends, any console message, page error or request fails it."""
    contexts: list[Any] = []
    heard: list[str] = []

    def goto(path: Path, *, width: int = 1280, height: int = 900, anchor: str = "", **options: Any) -> Any:
        context = browser.new_context(viewport={"width": width, "height": height}, **options)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: heard.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: heard.append(f"error: {error}"))
        page.on("request", lambda request: _note_request(request.url, path, heard))
        page.goto(f"{path.as_uri()}{anchor}")
        return page

    yield goto
    for context in contexts:
        context.close()
    assert heard == []


def _note_request(url: str, path: Path, heard: list[str]) -> None:
    if url.partition("#")[0] not in (path.as_uri(), "data:,"):
        heard.append(f"request: {url}")
