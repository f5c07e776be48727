"""The diagnosis as JSON: the same bytes for the same input, no NaN, keys in the schema's order."""

from __future__ import annotations

import json

from ncuanalyze.diagnosis import Diagnosis, to_dict


def render(diagnosis: Diagnosis) -> str:
    """One JSON document, indented, ending in a newline."""
    return json.dumps(to_dict(diagnosis), indent=1, ensure_ascii=False, allow_nan=False) + "\n"
