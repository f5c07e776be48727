"""The page on the rules is made from the rules: `make docs` writes it."""

from pathlib import Path

import ncuanalyze.rules
from click.testing import CliRunner

from ncuanalyze.cli.main import group

PAGE = Path(ncuanalyze.rules.__path__[0]) / "README.md"


def test_the_page_is_not_stale() -> None:
    result = CliRunner().invoke(group, ["rules", "--format", "markdown"])
    assert PAGE.read_text(encoding="utf-8") == result.output, "run `make docs`"
