"""A trend as text: one function a format, each reading only the trend."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ncuanalyze.history.trend import Trend

TREND_FORMATS = {
    "text": "ncuanalyze.render.trend_text",
    "html": "ncuanalyze.render.trend_html",
    "json": "ncuanalyze.render.trend_json",
}


def render_trend(trend: Trend, form: str) -> str:
    """The trend in one of ``TREND_FORMATS``; only the module of that format is imported."""
    rendered: str = import_module(TREND_FORMATS[form]).render(trend)
    return rendered
