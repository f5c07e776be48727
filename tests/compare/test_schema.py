"""The published schema: as the dataclasses say, and every comparison keeps it."""

from __future__ import annotations

import json

import pytest
from compare_documents import diagnosis, finding, kernel, units
from jsonschema import Draft202012Validator

from ncuanalyze.compare import compare
from ncuanalyze.compare.schema import FILE, schema_text
from ncuanalyze.render.comparison import render_comparison


def test_the_file_is_fresh() -> None:
    assert FILE.read_text(encoding="utf-8") == schema_text(), "run python -m ncuanalyze.compare.schema"


def test_the_schema_is_a_schema() -> None:
    Draft202012Validator.check_schema(json.loads(schema_text()))


@pytest.mark.parametrize("time", [2e5, None])
def test_comparisons_keep_it(time: float | None) -> None:
    base = kernel(findings=(finding("a", 2.0, line=1),), speed_of_light=units(l2=50))
    result = compare(
        [diagnosis(base, kernel("gone"))], [diagnosis(kernel(duration_ns=time, speed_of_light=units(l2=50)))]
    )
    document = json.loads(render_comparison(result, "json"))
    Draft202012Validator(json.loads(schema_text())).validate(document)
    document["kernels"][0]["verdict"] = "nicer"
    assert list(Draft202012Validator(json.loads(schema_text())).iter_errors(document))
