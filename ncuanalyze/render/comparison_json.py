"""The comparison as JSON: the same bytes for the same input, no NaN, keys in the schema's order."""

from __future__ import annotations

from ncuanalyze.compare.comparison import Comparison
from ncuanalyze.diagnosis import to_dict
from ncuanalyze.render.json_text import json_text


def render(comparison: Comparison) -> str:
    """One JSON document, indented, ending in a newline."""
    return json_text(to_dict(comparison))
