"""A document as JSON text: the standard encoder's bytes, without its memory."""

import json
import tracemalloc

import pytest

from ncuanalyze.render.json_text import json_text

PLAIN = {"schema": "a/1", "kernels": [{"id": str(i), "pct": i / 7, "none": None} for i in range(9000)]}


@pytest.mark.parametrize("document", [PLAIN, {}, [], {"é": "ü"}], ids=["many", "none", "empty", "letters"])
def test_the_text_is_the_standard_encoders(document: object) -> None:
    assert json_text(document) == json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def test_what_steers_a_terminal_is_escaped() -> None:
    assert json_text("\x1b\x7f\u202e") == '"\\u001b\\u007f\\u202e"\n'


def test_the_memory_is_some_times_the_text() -> None:
    tracemalloc.start()
    try:
        text = json_text(PLAIN)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 4 * len(text)
