"""The comparison as one self-contained HTML page, base and new in two columns."""

from __future__ import annotations

from ncuanalyze.compare.comparison import Comparison
from ncuanalyze.render.comparison_page import page_of
from ncuanalyze.render.html_shell import asset, environment, page_style, policy


def render(comparison: Comparison) -> str:
    """One HTML file: no request, no dependency, readable without JavaScript; everything escaped."""
    from markupsafe import Markup

    style, script = page_style() + asset("compare.css"), asset("page.js")
    page = page_of(comparison, policy=policy(style, script), style=Markup(style), script=Markup(script))
    return environment().get_template("compare.html").render(c=comparison, page=page)
