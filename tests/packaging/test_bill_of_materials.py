"""The bill of materials: of this package, in the versions of the lock, without a word of the machine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from scripts import load_script

from ncuanalyze.version import __version__

ROOT = Path(__file__).parents[2]


@pytest.fixture
def tool() -> Any:
    return load_script("tools/bill_of_materials.py")


def bill(*components: tuple[str, str]) -> dict[str, Any]:
    return {
        "metadata": {},
        "components": [{"name": name, "version": version, "bom-ref": name} for name, version in components],
        "dependencies": [],
    }


def test_it_is_a_bill_of_this_package(tool: Any) -> None:
    found = bill(("click", "8"), ("ncu_report", "1"), ("MarkupSafe", "3"))
    tool.add_component(found, ROOT)
    component = found["metadata"]["component"]
    purl = f"pkg:pypi/ncuanalyze@{__version__}"
    assert (component["name"], component["version"], component["purl"]) == ("ncuanalyze", __version__, purl)
    assert found["dependencies"] == [{"ref": purl, "dependsOn": ["click", "ncu_report"]}]


def test_what_is_not_in_the_lock_is_refused(tool: Any) -> None:
    lock = "click==8.5.1 \\\n    --hash=x\nnumpy==1 ; python_version < '3.12'\nnumpy==2 ; python_version >= '3.12'\n"
    tool.check_versions(bill(("Click", "8.5.1"), ("numpy", "1")), lock)
    for extra in (("pip", "25"), ("click", "8.5.0")):
        with pytest.raises(SystemExit, match=r"is not in requirements/full\.txt"):
            tool.check_versions(bill(extra), lock)


def test_the_extras_are_those_of_the_lock(tool: Any) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert f"FULL := {' '.join(tool.EXTRAS)}\n" in makefile
