"""The comparison as JSON: the same bytes for the same input, no NaN, keys in the schema's order."""

from __future__ import annotations

import json

from ncuanalyze.compare.comparison import Comparison
from ncuanalyze.diagnosis import to_dict


def render(comparison: Comparison) -> str:
    """One JSON document, indented, ending in a newline."""
    return json.dumps(to_dict(comparison), indent=1, ensure_ascii=False, allow_nan=False) + "\n"
