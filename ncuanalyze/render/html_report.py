"""The self-contained HTML page of a diagnosis."""

from __future__ import annotations

from base64 import b64encode
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from ncuanalyze.diagnosis import Diagnosis
from ncuanalyze.render import numbers
from ncuanalyze.render.chart_style import chart_css
from ncuanalyze.render.html_page import page_of
from ncuanalyze.render.names import safe_text, short_name

if TYPE_CHECKING:
    from jinja2 import Environment

BAR_STEPS = 101


def render(diagnosis: Diagnosis) -> str:
    """One HTML file: no request, no dependency, readable without JavaScript.

    Text of the report is escaped, its control and bidirectional characters are spelled out, and a
    Content-Security-Policy allows the page's own style and script (by hash) and nothing else.
    """
    from markupsafe import Markup

    style, script = _style(), _asset("page.js")
    page = page_of(diagnosis, policy=_policy(style, script), style=Markup(style), script=Markup(script))
    return _environment().get_template("page.html").render(d=diagnosis, page=page)


def _policy(style: str, script: str) -> str:
    return (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


@cache
def _style() -> str:
    steps = "".join(f".w{step}{{--w:{step}%}}" for step in range(BAR_STEPS))
    return f"{chart_css()}{_asset('page.css')}{steps}"


@cache
def _asset(name: str) -> str:
    return files("ncuanalyze.render").joinpath("assets", name).read_text(encoding="utf-8")


@cache
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("ncuanalyze.render"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_printable,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "count": numbers.count,
        "duration": numbers.duration,
        "evidence": numbers.evidence_text,
        "factor": numbers.factor,
        "pct": numbers.pct,
        "short": short_name,
        "width": bar_step,
        "words": words,
    }
    return environment


def _printable(value: Any) -> Any:
    """What an expression prints: n/a for None; plain texts without characters that deceive."""
    if value is None:
        return numbers.MISSING
    return safe_text(value) if type(value) is str else value


def bar_step(value: float | None) -> int:
    """The bar's length in whole percent, 0-100; a share above zero never draws nothing."""
    if value is None or not value > 0:
        return 0
    return max(1, min(BAR_STEPS - 1, round(value)))


def words(name: str) -> str:
    """An identifier as words: ``long_scoreboard`` is ``long scoreboard``."""
    return name.replace("_", " ")
