"""A check against a budget as text: one function a format, each reading only the result."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ncuanalyze.gate.outcome import CheckResult

CHECK_FORMATS = {
    "text": "ncuanalyze.render.check_text",
    "markdown": "ncuanalyze.render.check_markdown",
    "json": "ncuanalyze.render.check_json",
    "sarif": "ncuanalyze.render.check_sarif",
    "github": "ncuanalyze.render.check_github",
}


def render_check(result: CheckResult, form: str) -> str:
    """The result in one of ``CHECK_FORMATS``; only the module of that format is imported."""
    rendered: str = import_module(CHECK_FORMATS[form]).render(result)
    return rendered
