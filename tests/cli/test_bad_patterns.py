"""A pattern that is no regular expression is a usage error of one line, whichever option it stands in."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from ncuanalyze.cli.main import group

DEMO = str(Path(__file__).parents[2] / "fixtures" / "demo.ncu-rep.xz")
USAGE = 2
NONSENSE = {"unterminated": "(", "too large": "a{1,99999999999999999}", "recursion": "(" * 1500 + ")" * 1500}
COMMANDS = (
    "diagnose REPORT -k PATTERN",
    "roofline REPORT -k PATTERN",
    "metrics REPORT -k PATTERN",
    "metrics REPORT -m PATTERN",
    "occupancy REPORT -k PATTERN",
    "compare REPORT REPORT -k PATTERN",
    "compare REPORT --base-kernel PATTERN --new-kernel c04",
    "compare REPORT --base-kernel c04 --new-kernel PATTERN",
    "check REPORT --write -k PATTERN",
    "history show DB -k PATTERN",
    "history trend DB -k PATTERN",
)


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> str:
    database = tmp_path_factory.mktemp("history") / "h.sqlite"
    assert CliRunner().invoke(group, ["history", "add", str(database), DEMO, "--commit", "1"]).exit_code == 0
    return str(database)


@pytest.mark.parametrize("said", NONSENSE)
@pytest.mark.parametrize("words", COMMANDS)
def test_nonsense_is_one_line(words: str, said: str, history: str) -> None:
    given = {"REPORT": DEMO, "DB": history, "PATTERN": NONSENSE[said]}
    result = CliRunner().invoke(group, [given.get(word, word) for word in words.split()])
    assert result.exit_code == USAGE, result.output
    error, hint = result.stderr.splitlines()
    assert error.startswith("Error: ")
    assert "is no regular expression" in error
    assert said in error
    assert hint.startswith("Hint: ")
