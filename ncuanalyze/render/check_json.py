"""A check as JSON: the same bytes for the same input, no NaN, and whether it passed."""

from __future__ import annotations

from ncuanalyze.diagnosis import to_dict
from ncuanalyze.gate.outcome import CheckResult
from ncuanalyze.render.json_text import json_text


def render(result: CheckResult) -> str:
    """One JSON document, indented, ending in a newline; ``passed`` stands beside the fields."""
    document = {"schema": result.schema, "passed": result.passed} | to_dict(result)
    return json_text(document)
