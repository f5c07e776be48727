"""The whole diagnosis of a few reports, as `ncuanalyze REPORT --format json` prints it; `make golden` writes them."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from launches import FIXTURES

from ncuanalyze.cli.main import group

HERE = Path(__file__).parent
REPORTS = {
    "demo": "demo.ncu-rep.xz",
    "details_page": "triples/c14.details.csv.xz",
    "copy": "triples/c26.raw.csv.xz",
    "rtx_3090": "arch/sm86_33.raw.csv.xz",
    "failed_launch": "arch/sm80_27.raw.csv.xz",
}


def steady(document: str) -> Any:
    """The document with 12 significant digits a number: from Python 3.12 on, ``sum`` rounds the last ones otherwise."""
    return json.loads(document, parse_float=lambda digits: float(f"{float(digits):.12g}"))


@pytest.mark.parametrize("name", REPORTS)
def test_golden(name: str, update_golden: bool) -> None:
    result = CliRunner().invoke(group, [str(FIXTURES / REPORTS[name]), "--format", "json"])
    assert result.exit_code == 0, result.output
    kept = HERE / f"{name}.json"
    if update_golden:
        kept.write_text(result.stdout, encoding="utf-8")
    wanted = kept.read_text(encoding="utf-8")
    assert steady(result.stdout) == steady(wanted), "if the change is meant, run `make golden`"


def test_no_golden_file_is_left_over() -> None:
    assert {path.stem for path in HERE.glob("*.json")} == set(REPORTS)
