"""The trend as JSON: the same bytes for the same input, no NaN."""

from __future__ import annotations

import json

from ncuanalyze.diagnosis import to_dict
from ncuanalyze.history.trend import Trend


def render(trend: Trend) -> str:
    """One JSON document, indented, ending in a newline."""
    return json.dumps(to_dict(trend), indent=1, ensure_ascii=False, allow_nan=False) + "\n"
