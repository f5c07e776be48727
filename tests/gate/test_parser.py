"""The grammar of assertions: what it reads, and where it says that a text goes wrong."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ncuanalyze.errors import InvalidInput
from ncuanalyze.gate import parse
from ncuanalyze.gate.expression import Binary, Comparison, Name, Negative, NoFinding, Number, Text

READS = [
    ("duration_us < 200", Comparison(Name("duration_us"), "<", Number(200))),
    ("duration_us<2e2", Comparison(Name("duration_us"), "<", Number(200))),
    ("duration_ns < 200 us", Comparison(Name("duration_ns"), "<", Number(200, "us"))),
    ("duration_ns < 200us", Comparison(Name("duration_ns"), "<", Number(200, "us"))),
    ("dram_bytes_per_s >= 3.2 TB/s", Comparison(Name("dram_bytes_per_s"), ">=", Number(3.2, "TB/s"))),
    ("tensor_utilization_pct >= 70 %", Comparison(Name("tensor_utilization_pct"), ">=", Number(70, "%"))),
    ("registers_per_thread <= 1_28", Comparison(Name("registers_per_thread"), "<=", Number(128))),
    ("local_memory_spilling == 0", Comparison(Name("local_memory_spilling"), "==", Number(0))),
    ('bound == "memory"', Comparison(Name("bound"), "==", Text("memory"))),
    ("bound != 'latency'", Comparison(Name("bound"), "!=", Text("latency"))),
    ("at_roofline == true", Comparison(Name("at_roofline"), "==", Text("true"))),
    ("gpu__time_duration.sum < 5", Comparison(Name("gpu__time_duration.sum"), "<", Number(5))),
    ("cycles < 5 within 2%", Comparison(Name("cycles"), "<", Number(5), 2)),
    ("200 > duration_us", Comparison(Number(200), ">", Name("duration_us"))),
    ("-1 < cycles", Comparison(Negative(Number(1)), "<", Name("cycles"))),
    (
        "dram_bytes / duration_us - 1 < 2 * (3 + 4)",
        Comparison(
            Binary("-", Binary("/", Name("dram_bytes"), Name("duration_us")), Number(1)),
            "<",
            Binary("*", Number(2), Binary("+", Number(3), Number(4))),
        ),
    ),
    ("no finding", NoFinding()),
    ("no finding above 1.2x", NoFinding("", 1.2)),
    ("no finding above 1.2 x", NoFinding("", 1.2)),
    ("no finding uncoalesced_global_access", NoFinding("uncoalesced_global_access")),
    ("no finding small_grid above 1.5", NoFinding("small_grid", 1.5)),
]

FAILS = [
    ("", "expected"),
    ("duration_us", "relation"),
    ("duration_us < ", "expected"),
    ("duration_us < 5 < 6", "after the end"),
    ("duration_us = 5", "unexpected character"),
    ("duration_us < __import__('os').system('x')", "unexpected character"),
    ("duration_us < lambda: 0", "unexpected character"),
    ("duration_us < 5; import os", "unexpected character"),
    ("duration_us < (5", "')' is expected"),
    ("no findings", "'finding' is expected"),
    ("no finding above", "a number is expected"),
    ("cycles < 5 within 2", "'%' is expected"),
    ('bound == "mem', "unexpected character"),
    ("cycles < " + "(" * 50 + "1" + ")" * 50, "nested"),
    ("cycles < " + "-" * 50 + "1", "nested"),
    ("cycles < " + "1 + " * 200 + "1", "characters"),
]


@pytest.mark.parametrize(("text", "stated"), READS, ids=[text for text, _ in READS])
def test_reads(text: str, stated: object) -> None:
    assert parse(text) == stated


@pytest.mark.parametrize(("text", "says"), FAILS, ids=[text[:40] or "empty" for text, _ in FAILS])
def test_fails_with_a_place_and_a_hint(text: str, says: str) -> None:
    with pytest.raises(InvalidInput) as error:
        parse(text)
    assert says in str(error.value)
    assert error.value.hint


@given(st.text(max_size=80))
def test_any_text_parses_or_is_an_error_of_ours(text: str) -> None:
    try:
        parse(text)
    except InvalidInput as error:
        assert error.hint


@given(st.text(alphabet='no finding abve1.2x<=>!+-*/()%"us_\n\t', max_size=60))
def test_near_texts_parse_or_are_errors_of_ours(text: str) -> None:
    try:
        parse(text)
    except InvalidInput as error:
        assert error.hint
