"""The self-contained HTML page of a diagnosis."""

from __future__ import annotations

from ncuanalyze.diagnosis import Diagnosis
from ncuanalyze.render.html_page import page_of
from ncuanalyze.render.html_shell import asset, environment, page_style, policy


def render(diagnosis: Diagnosis) -> str:
    """One HTML file: no request, no dependency, readable without JavaScript.

    Text of the report is escaped, its control and bidirectional characters are spelled out, and a
    Content-Security-Policy allows the page's own style and script (by hash) and nothing else.
    """
    from markupsafe import Markup

    style, script = page_style(), asset("page.js")
    page = page_of(diagnosis, policy=policy(style, script), style=Markup(style), script=Markup(script))
    return environment().get_template("page.html").render(d=diagnosis, page=page)
