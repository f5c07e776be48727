"""The trend as JSON: the same bytes for the same input, no NaN."""

from __future__ import annotations

from ncuanalyze.diagnosis import to_dict
from ncuanalyze.history.trend import Trend
from ncuanalyze.render.json_text import json_text


def render(trend: Trend) -> str:
    """One JSON document, indented, ending in a newline."""
    return json_text(to_dict(trend))
