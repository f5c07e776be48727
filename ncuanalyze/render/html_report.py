"""The self-contained HTML page of a diagnosis."""

from __future__ import annotations

from ncuanalyze.diagnosis import Diagnosis
from ncuanalyze.render.html_page import page_of
from ncuanalyze.render.html_shell import asset, draw, page_style


def render(diagnosis: Diagnosis) -> str:
    """One HTML file: no request, no dependency, readable without JavaScript.

    Text of the report is escaped, its control and bidirectional characters are spelled out, and a
    Content-Security-Policy allows the page's own style and script (by hash) and nothing else.
    """
    shown = {"d": diagnosis, "page": page_of(diagnosis)}
    return draw("page.html", shown, style=page_style(), script=asset("page.js"))
