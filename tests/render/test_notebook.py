"""A diagnosis shows itself in a notebook."""

from __future__ import annotations

from html.parser import HTMLParser

from ncuanalyze.diagnosis import Diagnosis, KernelDiagnosis

from .documents import diagnosis, kernel


class Frames(HTMLParser):
    """The attributes of every ``<iframe>``."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[dict[str, str | None]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag == "iframe"
        self.found.append(dict(attrs))


def page_in(shown: Diagnosis | KernelDiagnosis) -> str:
    frames = Frames()
    frames.feed(shown._repr_html_())
    (only,) = frames.found
    assert only["sandbox"] == "allow-scripts"
    return only["srcdoc"] or ""


def test_a_diagnosis_is_its_page_in_a_frame() -> None:
    page = page_in(diagnosis())
    assert page.startswith("<!doctype html>") and "could run 1.9 times as fast" in page


def test_a_kernel_is_its_panel_in_a_frame() -> None:
    page = page_in(kernel())
    assert "<h1>app::norm_kernel&lt;float, 8&gt;</h1>" in page
    assert 'id="k0"' in page and 'id="table"' not in page
