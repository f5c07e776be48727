"""The diagnosis as JSON: the same bytes for the same input, no NaN, keys in the schema's order."""

from __future__ import annotations

from ncuanalyze.diagnosis import Diagnosis, to_dict
from ncuanalyze.render.json_text import json_text


def render(diagnosis: Diagnosis) -> str:
    """One JSON document, indented, ending in a newline."""
    return json_text(to_dict(diagnosis))
