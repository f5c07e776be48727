"""The tables of docs/diagnosis.md are what a run gives today: `make docs` writes them."""

from pathlib import Path
from types import ModuleType

import pytest
from launches import BESIDE
from scripts import load_script

ROOT = Path(__file__).parents[2]
HOW = "run benchmarks/gain_table.py --suite labelled=FOLDER --generations FOLDER --write docs/diagnosis.md"
PAGE = ROOT / "docs" / "diagnosis.md"


@pytest.fixture(scope="module")
def gain_table() -> ModuleType:
    return load_script("benchmarks/gain_table.py")


def shown(name: str) -> str:
    return PAGE.read_text(encoding="utf-8").partition(f"<!-- table {name} -->\n")[2].partition("\n<!-- end -->")[0]


def test_the_tables_of_the_planted_kernels(gain_table: ModuleType) -> None:
    tables = dict(gain_table.tables_of_suite("planted", ROOT / "benchmarks" / "planted"))
    assert {name: shown(name) for name in ("tune", "held_out")} == {
        name: tables[name] for name in ("tune", "held_out")
    }, "run `make docs`"


@pytest.mark.skipif(not (BESIDE / "planted").is_dir(), reason="the labelled suite is not beside this checkout")
def test_the_table_of_the_labelled_suite(gain_table: ModuleType) -> None:
    ((_, table),) = gain_table.tables_of_suite("labelled", BESIDE / "planted")
    assert shown("labelled") == table, HOW


@pytest.mark.skipif(not (BESIDE / "arch").is_dir(), reason="the larger set is not beside this checkout")
def test_the_table_of_the_generations(gain_table: ModuleType) -> None:
    assert shown("generations") == gain_table.generations(BESIDE / "arch"), HOW


def test_a_page_without_a_marker_is_refused(gain_table: ModuleType, tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# Nothing\n")
    with pytest.raises(SystemExit, match="no marker"):
        gain_table.write(page, {"tune": "| a |"})
    page.write_text("<!-- table tune -->\nold\n<!-- end -->\n")
    gain_table.write(page, {"tune": "| a |"})
    assert page.read_text() == "<!-- table tune -->\n| a |\n<!-- end -->\n"
