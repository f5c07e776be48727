"""TOML of a user: what nests too deep is refused before it costs anything, and what only looks so is read."""

from __future__ import annotations

import time
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner

from ncuanalyze import toml_text
from ncuanalyze.cli.main import group

DEMO = str(Path(__file__).parents[1] / "fixtures" / "demo.ncu-rep.xz")
KEY_OF_20000 = ".".join(["a"] * 20_000) + " = 1"
DEEP = {
    "a dotted key": KEY_OF_20000,
    "a dotted key, quoted": ".".join(['"a"'] * 33) + " = 1",
    "a dotted key, spaced": " . ".join(["a"] * 33) + " = 1",
    "a header": f"[{'.'.join(['a'] * 33)}]",
    "an array of tables": f"[[{'.'.join(['a'] * 33)}]]",
    "arrays": "a = " + "[" * 20_000,
    "tables": "a = " + "{a=" * 20_000,
    "behind a string": 'a = [ """x"""", ' + "[" * 33,
    "behind a comment": "# ''' \na = " + "[" * 33,
    "a key in a table": "a = {" + ".".join(["a"] * 33) + " = 1}",
}
SHALLOW = (
    ".".join(["a"] * 32) + " = 1",
    "a = " + "[" * 32 + "]" * 32,
    "a = '" + "[" * 99 + "." * 99 + "'",
    'a = "\\"' + "[" * 99 + '"',
    'a = """\\"""' + "[" * 99 + '\n"""""',
    "a = '''" + "{" * 99 + "\n'''''",
    "a = 1  # " + "[" * 99 + "." * 99,
    "a = [" + "1.5, " * 99 + "]\n" + "b.c.d = 1.5\n",
    "a = 1\n" + "[[b]]\nc = {d = [1.5]}\n" * 99,
)


@pytest.mark.parametrize("kind", DEEP)
def test_deep_nesting_is_refused(kind: str) -> None:
    with pytest.raises(ValueError, match="nested more than 32 deep"):
        toml_text.loads(DEEP[kind])


@pytest.mark.parametrize("text", SHALLOW)
def test_what_only_looks_deep_is_read(text: str) -> None:
    assert toml_text.loads(text) == tomllib.loads(text)


def test_the_line_is_named() -> None:
    with pytest.raises(ValueError, match="at line 3"):
        toml_text.loads("a = 1\n\nb = " + "[" * 33)


@pytest.mark.parametrize(
    "text",
    ['a="""' + '\\"""' * 100_000, "a='''" + "''x" * 100_000, '"' * 400_000, "\\" * 400_000, "'" * 400_001],
    ids=["escaped quotes", "pairs of quotes", "quotes", "backslashes", "apostrophes"],
)
def test_the_time_is_linear(text: str) -> None:
    began_s = time.process_time()
    with pytest.raises(ValueError):
        toml_text.loads(text)
    assert time.process_time() - began_s < 5


@pytest.mark.parametrize(
    "words", ["check D --budget F", "D --thresholds F", "D --ceilings F", "D --workload F", "rules --thresholds F"]
)
def test_each_option_that_takes_toml_refuses_it(words: str, tmp_path: Path) -> None:
    file = tmp_path / "deep.toml"
    file.write_text(KEY_OF_20000, encoding="utf-8")
    given = {"D": DEMO, "F": str(file)}
    began_s = time.process_time()
    result = CliRunner().invoke(group, [given.get(word, word) for word in words.split()])
    assert result.exit_code == 1
    assert "nested more than 32 deep (at line 1)" in result.stderr
    assert "Hint: " in result.stderr
    assert time.process_time() - began_s < 3
