"""Damaged thresholds, budgets, section files and saved documents: an error with a hint, never another."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fuzz.damage import DEEP, damaged, examples
from fuzz.seeds import BUDGETS, COMPARED, ONE, SAVED, SECTIONS, THRESHOLDS
from fuzz.targets import TARGETS, budget, saved_comparison, saved_diagnosis, section, survives, thresholds
from ncuanalyze.errors import RuleSetError


@examples(60)
@given(damaged(THRESHOLDS))
def test_thresholds(data: bytes) -> None:
    survives(thresholds, data)


@examples(60)
@given(damaged(BUDGETS))
def test_budgets(data: bytes) -> None:
    survives(lambda hostile: budget(hostile, ONE), data)


@examples(60)
@given(damaged(SECTIONS))
def test_sections(data: bytes) -> None:
    survives(section, data)


@examples(60)
@given(damaged([SAVED]))
def test_saved_diagnoses(data: bytes) -> None:
    survives(saved_diagnosis, data)


@examples(30)
@given(damaged([COMPARED]))
def test_saved_comparisons(data: bytes) -> None:
    survives(saved_comparison, data)


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (("findings", 0, "evidence", 0, "relation"), "6"),
        (("findings", 0, "speedup", "estimate"), 1e308),
        (("roofline", "roofs", 0, "per_s"), 1e308),
        (("roofline", "roofs", 0, "sustained_per_s"), -1),
        (("occupancy", "limits", "registers"), 1e308),
        (("source_hotspots", "samples"), 10**400),
        (("source_hotspots", "lines", 0, "sass", 0, "samples"), 10**400),
    ],
)
def test_values_that_no_report_gives(place: tuple[str | int, ...], value: object) -> None:
    document = json.loads(SAVED)
    inner = document["kernels"][0]
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = value
    survives(saved_diagnosis, json.dumps(document).encode())


def test_an_outcome_of_a_promise_that_there_is_not() -> None:
    document = json.loads(COMPARED)
    document["kernels"][0]["why"]["promise"]["outcome"] = "6"
    survives(saved_comparison, json.dumps(document).encode())


JSON_VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=5), inner, max_size=3)),
    max_leaves=5,
)


@examples(60)
@given(st.data())
def test_a_value_of_another_kind_anywhere_in_a_saved_diagnosis(data: st.DataObject) -> None:
    document = json.loads(SAVED)
    place = document
    while True:
        keys = list(place) if isinstance(place, dict) else range(len(place))
        key = data.draw(st.sampled_from(list(keys)))
        if not isinstance(place[key], dict | list) or not place[key] or data.draw(st.booleans()):
            break
        place = place[key]
    place[key] = data.draw(JSON_VALUES)
    survives(saved_diagnosis, json.dumps(document).encode())


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("data", DEEP)
def test_deep_nesting(target: str, data: bytes) -> None:
    survives(TARGETS[target], data)


@pytest.mark.parametrize("number", ["nan", "inf", "-inf", "1" + "0" * 400, "1" * 5000, "1e999"])
@pytest.mark.parametrize("entry", ["fma_share_pct = {}", "fma_share_pct.value = {}"])
def test_a_threshold_is_a_finite_number(number: str, entry: str) -> None:
    with pytest.raises(RuleSetError, match=r"number|TOML"):
        thresholds(f"[tensor_cores_idle]\n{entry.format(number)}\n".encode())
