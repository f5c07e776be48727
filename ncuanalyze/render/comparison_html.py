"""The comparison as one self-contained HTML page, base and new in two columns."""

from __future__ import annotations

from ncuanalyze.compare.comparison import Comparison
from ncuanalyze.render.comparison_page import page_of
from ncuanalyze.render.html_shell import asset, draw, page_style


def render(comparison: Comparison) -> str:
    """One HTML file: no request, no dependency, readable without JavaScript; everything escaped."""
    shown = {"c": comparison, "page": page_of(comparison)}
    return draw("compare.html", shown, style=page_style() + asset("compare.css"), script=asset("page.js"))
