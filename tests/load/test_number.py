"""Printed values: numbers in any locale, words for nothing, instances."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ncuanalyze.load.number import decimal_sign, instances_of, number_of, value_of


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        ("12", 12.0),
        ("0", 0.0),
        ("-3.5", -3.5),
        ("1,234.56", 1234.56),
        ("737,869,762,948,382,064,640", 737869762948382064640.0),
        ("1.633e-05", 1.633e-05),
        ("128 (0; 64; 64)", 128.0),
        ("32,768 {449}", 32768.0),
        ("NVIDIA H200", "NVIDIA H200"),
        ("CachePreferNone (CachePreferNone)", "CachePreferNone"),
        ("PolicySpread", "PolicySpread"),
        ("none", "none"),
    ],
)
def test_value(cell, value):
    assert value_of(cell) == value


@pytest.mark.parametrize(
    "cell", ["", " ", "-", "n/a", "N/A", "no data", "(!) n/a", "{449}", "(0; 0; 0)", "(0.12; 0.01)"]
)
def test_nothing_measured(cell):
    assert value_of(cell) is None


@pytest.mark.parametrize("cell", ["nan", "-nan", "(!) nan", "NaN"])
def test_not_a_number(cell):
    assert math.isnan(value_of(cell))


@pytest.mark.parametrize(("cell", "value"), [("inf", math.inf), ("-inf", -math.inf)])
def test_infinite(cell, value):
    assert value_of(cell) == value


@pytest.mark.parametrize(
    ("cells", "sign"),
    [
        (["1,234", "12.5"], "."),
        (["1.234", "12,5"], ","),
        (["1.234.567"], ","),
        (["1,234,567"], "."),
        (["0,931"], ","),
        (["0.931"], "."),
        (["117344,5"], ","),
        (["16384.000000"], "."),
        (["1 234,56"], ","),
        (["1\u202f234,56"], ","),
        (["1'234.56"], "."),
        (["7,125"], "."),
        ([], "."),
        (["n/a", "NVIDIA H200", "(256, 1, 1)"], "."),
        (["65,77", "7,35", "12.5"], ","),
    ],
)
def test_decimal_sign(cells, sign):
    assert decimal_sign(cells) == sign


def test_a_percentage_of_seven_thousand_is_a_comma():
    assert decimal_sign(["7,125"], percentages=["7,125"]) == ","
    assert decimal_sign(["1,234,567", "7,125"], percentages=["7,125"]) == "."


@pytest.mark.parametrize(
    ("text", "value"),
    [("268.077.447.504,77", 268077447504.77), ("1 234,5", 1234.5), ("1\u00a0234,5", 1234.5)],
)
def test_comma_decimals(text, value):
    assert number_of(text, ",") == value


@given(st.integers(-(10**12), 10**12))
def test_grouped_integers_survive(number):
    assert number_of(f"{number:,}") == number
    assert number_of(f"{number:,}".replace(",", "."), ",") == number


@given(st.floats(-1e12, 1e12).map(lambda x: round(x, 2)))
def test_grouped_decimals_survive_in_both_locales(number):
    american = f"{number:,.2f}"
    european = american.translate(str.maketrans(",.", ".,"))
    assert number_of(american, decimal_sign([american])) == float(f"{number:.2f}")
    assert number_of(european, decimal_sign([european])) == float(f"{number:.2f}")


@given(st.text())
def test_any_text_is_a_value_or_nothing(text):
    assert isinstance(value_of(text), float | str | None)


def test_instances():
    assert instances_of("12 (4; 8)") == ((None, 4.0), (None, 8.0))
    assert instances_of("12 (LDG: 4; FADD: 8)") == (("LDG", 4.0), ("FADD", 8.0))
    assert instances_of("12") == ()
