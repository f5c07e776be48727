"""Write ``ncuanalyze/diagnosis/schema.json`` from the records: ``make docs``."""

import json
from pathlib import Path

from ncuanalyze.diagnosis import SCHEMA, Diagnosis
from ncuanalyze.diagnosis.json_schema import json_schema

path = Path(__file__).parents[1] / "ncuanalyze/diagnosis/schema.json"
path.write_text(json.dumps(json_schema(Diagnosis, SCHEMA), indent=1) + "\n", encoding="utf-8")
