"""Writes ``comparison.schema.json``: ``python -m ncuanalyze.compare.schema``."""

from __future__ import annotations

import json
from pathlib import Path

from ncuanalyze.compare.comparison import SCHEMA, Comparison
from ncuanalyze.diagnosis import SCHEMA as DIAGNOSIS_SCHEMA
from ncuanalyze.diagnosis import KernelDiagnosis
from ncuanalyze.diagnosis.json_schema import json_schema

FILE = Path(__file__).with_name("comparison.schema.json")


def schema_text() -> str:
    """The schema as the file holds it."""
    elsewhere: dict[type, str] = {KernelDiagnosis: f"a kernel of {DIAGNOSIS_SCHEMA}"}
    return json.dumps(json_schema(Comparison, SCHEMA, elsewhere), indent=1) + "\n"


if __name__ == "__main__":
    FILE.write_text(schema_text(), encoding="utf-8")
