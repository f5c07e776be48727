"""Numbers, units and evidence as a reader sees them."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ncuanalyze.diagnosis import Evidence, Speedup
from ncuanalyze.render import numbers


@pytest.mark.parametrize(
    ("ns", "shown"),
    [
        (0, "0 ns"),
        (0.5, "0.5 ns"),
        (987, "987 ns"),
        (999.9, "1 µs"),
        (1234, "1.23 µs"),
        (999_999, "1 ms"),
        (12.34e6, "12.3 ms"),
        (4.56e9, "4.56 s"),
        (7200e9, "7,200 s"),
        (None, "n/a"),
        (math.nan, "n/a"),
        (math.inf, "n/a"),
    ],
)
def test_duration(ns: float | None, shown: str) -> None:
    assert numbers.duration(ns) == shown


@pytest.mark.parametrize(
    ("value", "unit", "shown"),
    [
        (2.9e12, "byte/s", "2.9 TB/s"),
        (989.5e12, "flop/s", "990 TFLOP/s"),
        (999.6, "byte", "1 kB"),
        (0.0, "byte", "0 B"),
        (1_234_567, "cycle", "1.23M cycles"),
        (4096, "block", "4,096 blocks"),
        (1, "warp", "1 warp"),
        (0.354, "inst/cycle", "0.354 inst/cycle"),
        (1.5e-7, "", "1.50e-07"),
        (-2048, "byte", "-2.05 kB"),
        (1.83e9, "hz", "1.83 GHz"),
        (3e21, "byte", "3,000 EB"),
        (None, "byte", "n/a"),
        (math.nan, "", "n/a"),
    ],
)
def test_si(value: float | None, unit: str, shown: str) -> None:
    assert numbers.si(value, unit) == shown


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0.0, "0%"),
        (0.001, "<0.01%"),
        (0.034, "0.03%"),
        (0.994, "0.99%"),
        (46.23, "46.2%"),
        (99.94, "99.9%"),
        (99.97, ">99.9%"),
        (100.0, "100%"),
        (171.46, "171.5%"),
        (-3.2, "-3.2%"),
        (None, "n/a"),
    ],
)
def test_pct_never_rounds_something_to_nothing_or_to_all(value: float | None, shown: str) -> None:
    assert numbers.pct(value) == shown


@pytest.mark.parametrize(
    ("value", "unit", "shown"),
    [
        (46.2, "%", "46.2%"),
        (1500.0, "ns", "1.5 µs"),
        (2.0, "us", "2 µs"),
        (1.9, "x", "1.90×"),
        (5.0, "byte", "5 B"),
    ],
)
def test_quantity_picks_the_form_by_unit(value: float, unit: str, shown: str) -> None:
    assert numbers.quantity(value, unit) == shown


@pytest.mark.parametrize(
    ("relation", "value", "shown"),
    [
        (">=", 91.3, "DRAM 91.3% ≥ 80%"),
        (">=", 80.0, "DRAM 80% ≥ 80%"),
        (">=", 46.2, "DRAM 46.2% < 80%"),
        ("<", 46.2, "DRAM 46.2% < 80%"),
        ("<", 91.3, "DRAM 91.3% ≥ 80%"),
        ("", 91.3, "DRAM 91.3%"),
    ],
)
def test_evidence_says_how_the_value_stands_to_its_limit(relation: str, value: float, shown: str) -> None:
    limit = 80.0 if relation else None
    evidence = Evidence(label="DRAM", metric="m", value=value, unit="%", relation=relation, limit=limit)
    assert numbers.evidence_text(evidence) == shown


def test_evidence_spells_out_what_deceives() -> None:
    assert numbers.evidence_text(Evidence(label="a\u202eb", metric="m", value=1.0)) == "a\\u202eb 1"


@pytest.mark.parametrize(
    ("speedup", "shown"),
    [
        (Speedup(low=1.4, estimate=1.9, high=2.3), "1.90× (1.40× to 2.3×)"),
        (Speedup(low=1.0, estimate=1.0, high=1.0), "1.00×"),
        (Speedup(low=8.0, estimate=12.4, high=31.9), "12× (8.0× to 32×)"),
    ],
)
def test_speedup(speedup: Speedup, shown: str) -> None:
    assert numbers.speedup_text(speedup) == shown


@pytest.mark.parametrize(
    ("size", "shown"),
    [
        ((4096, 1, 1), "4,096"),
        ((1, 1, 1), "1"),
        ((16, 64, 1), "16 × 64"),
        ((8, 1, 2), "8 × 1 × 2"),
        (None, "n/a"),
    ],
)
def test_dimensions(size: tuple[int, int, int] | None, shown: str) -> None:
    assert numbers.dimensions(size) == shown


@given(st.floats())
def test_no_number_breaks_a_formatter(value: float) -> None:
    for unit in ("%", "ns", "byte/s", "cycle", "x", ""):
        shown = numbers.quantity(value, unit)
        assert shown and "nan" not in shown and "inf" not in shown
