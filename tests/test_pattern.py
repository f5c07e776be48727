"""Patterns that a user gave: what they find, and that nonsense is one line, soon."""

from __future__ import annotations

import threading
import time

import pytest

from ncuanalyze import pattern
from ncuanalyze.errors import InvalidInput, InvalidOption
from ncuanalyze.pattern import Glob, Pattern, glob

NESTED = "(a+)+$"
LONG = "a" * 65_535 + "b"


@pytest.mark.parametrize(
    ("text", "names", "found"),
    [
        ("gemm", ("my_gemm",), True),
        ("^gemm", ("my_gemm",), False),
        ("^gemm", ("my_gemm", "gemm<8>"), True),
        ("[[a]x", ("[x",), True),
        ("", ("anything",), True),
    ],
)
def test_a_pattern_is_found_anywhere_in_one_of_the_names(text: str, names: tuple[str, ...], found: bool) -> None:
    assert Pattern(text, "--kernel").finds(*names) is found


@pytest.mark.parametrize(
    ("text", "name", "found"),
    [("gemm*", "gemm_1", True), ("gemm*", "my_gemm_1", False), ("*", "a\nb", True), ("g[0-9]", "g7", True)],
)
def test_a_glob_is_about_the_whole_name(text: str, name: str, found: bool) -> None:
    assert glob(text).finds(name) is found


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("(", "unterminated"),
        ("a{1,99999999999999999}", "the repetition number is too large"),
        ("(" * 1500 + ")" * 1500, "maximum recursion depth exceeded"),
    ],
)
def test_nonsense_is_one_short_line(text: str, said: str) -> None:
    with pytest.raises(InvalidOption, match=r"--kernel: .*is no regular expression") as caught:
        Pattern(text, "--kernel")
    assert said in str(caught.value)
    assert len(str(caught.value)) < 200
    assert "backslash" in caught.value.hint


def test_no_warning_about_brackets_reaches_the_user(recwarn: pytest.WarningsRecorder) -> None:
    Pattern("[[a]", "--kernel")
    assert not recwarn.list


@pytest.mark.parametrize("name", ["a" * 50 + "b", LONG], ids=["short", "long"])
def test_repeats_inside_repeats_end_in_time(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pattern, "MOST_PROCESSOR_S", 0.2)
    with pytest.raises(InvalidInput, match="takes too long") as caught:
        Pattern(NESTED, "--kernel").finds(name)
    assert "(a+)+" in caught.value.hint


def test_the_limit_is_on_all_names_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pattern, "MOST_PROCESSOR_S", 0.2)
    slow = Pattern(NESTED, "--kernel")
    began_s = time.process_time()
    with pytest.raises(InvalidInput, match="takes too long"):
        [slow.finds("a" * 18 + f"b{number}") for number in range(10_000)]
    assert time.process_time() - began_s < 2


def test_compiling_counts_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pattern, "MOST_PROCESSOR_S", 0.05)
    with pytest.raises(InvalidInput, match=r"characters\) takes too long"):
        Pattern("(?i)" + "[\u0100-\uffff]" * 300, "--kernel")


def test_a_glob_of_brackets_ends_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pattern, "MOST_PROCESSOR_S", 0.2)
    with pytest.raises(InvalidInput, match="takes too long"):
        Glob("[" * 20_000, "the name")


def test_a_thread_searches_without_a_limit() -> None:
    found: list[bool] = []
    worker = threading.Thread(target=lambda: found.append(Pattern("gemm", "--kernel").finds("gemm")))
    worker.start()
    worker.join()
    assert found == [True]
