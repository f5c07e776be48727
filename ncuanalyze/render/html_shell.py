"""What every HTML page of ours has: one style sheet, a policy that allows nothing else, and the templates."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from ncuanalyze.render import numbers
from ncuanalyze.render.chart_style import chart_css
from ncuanalyze.render.names import safe_text, short_name

if TYPE_CHECKING:
    from jinja2 import Environment

BAR_STEPS = 101


def draw(template: str, shown: Mapping[str, Any], *, style: str, script: str) -> str:
    """A page from its template, which sees ``shown``; ``base.html`` puts the style and the script into it."""
    from markupsafe import Markup

    shell = {"policy": policy(style, script), "style": Markup(style), "script": Markup(script)}
    return environment().get_template(template).render(**shown, **shell)


def policy(style: str, script: str) -> str:
    """The Content-Security-Policy: the page's own style and script by hash, and nothing else."""
    return (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


@cache
def page_style() -> str:
    """The style sheet of every page, charts included."""
    steps = "".join(f".w{step}{{--w:{step}%}}" for step in range(BAR_STEPS))
    return f"{chart_css()}{asset('page.css')}{steps}"


@cache
def asset(name: str) -> str:
    """A file that ships beside the templates."""
    return files("ncuanalyze.render").joinpath("assets", name).read_text(encoding="utf-8")


@cache
def environment() -> Environment:
    """The templates, with everything escaped and nothing undefined passed over."""
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
        "quantity": numbers.quantity,
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
