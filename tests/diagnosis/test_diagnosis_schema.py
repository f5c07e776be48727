"""The published schema is the records' own, and what is written satisfies it."""

import json
from importlib import resources
from pathlib import Path

import jsonschema
import pytest

from ncuanalyze.diagnose import Options, diagnose
from ncuanalyze.diagnosis import SCHEMA, Diagnosis, from_dict, to_dict
from ncuanalyze.diagnosis.json_schema import json_schema
from ncuanalyze.load import load
from ncuanalyze.render import render

FIXTURES = Path(__file__).parents[2] / "fixtures"
PUBLISHED = json.loads(resources.files("ncuanalyze.diagnosis").joinpath("schema.json").read_text("utf-8"))


def test_published_schema_is_fresh() -> None:
    assert json_schema(Diagnosis, SCHEMA) == PUBLISHED, "run: make docs"


@pytest.mark.parametrize("name", ["demo.ncu-rep.xz", "demo.raw.csv.xz", "demo.details.csv.xz"])
def test_written_json_satisfies_the_schema(name: str) -> None:
    options = Options(hotspots=True, all_metrics=True)
    written = json.loads(render(diagnose(load(FIXTURES / name), options=options), "json"))
    jsonschema.Draft202012Validator(PUBLISHED).validate(written)


def test_round_trip_keeps_everything() -> None:
    diagnosis = diagnose(load(FIXTURES / "demo.ncu-rep.xz"), options=Options(hotspots=True))
    assert from_dict(json.loads(json.dumps(to_dict(diagnosis)))) == diagnosis


def test_same_input_same_bytes() -> None:
    first, second = (render(diagnose(load(FIXTURES / "demo.ncu-rep.xz")), "json") for _ in range(2))
    assert first == second
