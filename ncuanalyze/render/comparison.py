"""A comparison as text: one function a format, each reading only the comparison."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ncuanalyze.compare.comparison import Comparison

COMPARISON_FORMATS = {
    "text": "ncuanalyze.render.comparison_text",
    "html": "ncuanalyze.render.comparison_html",
    "markdown": "ncuanalyze.render.comparison_markdown",
    "json": "ncuanalyze.render.comparison_json",
    "sarif": "ncuanalyze.render.comparison_sarif",
    "github": "ncuanalyze.render.comparison_github",
}


def render_comparison(comparison: Comparison, form: str) -> str:
    """The comparison in one of ``COMPARISON_FORMATS``; only the module of that format is imported."""
    rendered: str = import_module(COMPARISON_FORMATS[form]).render(comparison)
    return rendered
