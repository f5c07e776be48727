"""The wheel alone in a clean environment does what the checkout does. Run by ``make package-test``."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

from ncuanalyze.diagnose import Options, diagnose
from ncuanalyze.diagnosis import to_dict
from ncuanalyze.load import load
from ncuanalyze.version import __version__

ROOT = Path(__file__).parents[2]
REPORT = ROOT / "fixtures" / "demo.ncu-rep.xz"
EXPORT = ROOT / "fixtures" / "demo.raw.csv.xz"
DIST = os.environ.get("NCUANALYZE_DIST", "")
PACKAGED = {"ncuanalyze": "ncuanalyze", "rules": "ncuanalyze/rules", "sections": "ncuanalyze/sections"}
pytestmark = pytest.mark.skipif(not DIST, reason="make package-test builds the wheel that this needs")


def built(ending: str) -> Path:
    (found,) = Path(DIST).glob(f"*{ending}")
    return found


class Installation:
    """A virtual environment with nothing but the wheel and what it requires, used from a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        venv.create(folder / "venv", with_pip=True)
        self.run("python", "-m", "pip", "--disable-pip-version-check", "install", "-q", str(built(".whl")))

    def run(self, program: str, *words: str) -> subprocess.CompletedProcess[str]:
        scripts = self.folder / "venv" / ("Scripts" if sys.platform == "win32" else "bin")
        kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        return subprocess.run(
            [scripts / program, *words], cwd=self.folder, env=kept, capture_output=True, text=True, check=False
        )

    def said(self, *words: str) -> str:
        """What the command prints; it must succeed."""
        result = self.run("ncuanalyze", *words)
        assert result.returncode == 0, result.stderr
        return result.stdout


@pytest.fixture(scope="module")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Installation:
    return Installation(tmp_path_factory.mktemp("installed"))


def tracked() -> list[str]:
    """Every file of the packages that is under version control."""
    listed = subprocess.run(["git", "ls-files", *PACKAGED], cwd=ROOT, capture_output=True, text=True, check=True)
    return listed.stdout.splitlines()


def test_the_wheel_holds_every_file_of_the_packages_and_no_other() -> None:
    names = {name for name in zipfile.ZipFile(built(".whl")).namelist() if ".dist-info/" not in name}
    wanted = {f"{PACKAGED[name.partition('/')[0]]}/{name.partition('/')[2]}" for name in tracked()}
    assert names == wanted


def test_the_wheel_carries_its_licence() -> None:
    with zipfile.ZipFile(built(".whl")) as wheel:
        (licence,) = (name for name in wheel.namelist() if name.endswith("licenses/LICENSE"))
        assert b"END OF TERMS AND CONDITIONS" in wheel.read(licence)


def test_the_sdist_holds_what_the_wheel_is_made_of() -> None:
    with tarfile.open(built(".tar.gz")) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"setup.cfg", "pyproject.toml", "LICENSE", "NOTICE", "README.md", *tracked()} <= names


def test_version_and_dependencies(installation: Installation) -> None:
    assert installation.said("--version").split()[-1] == __version__
    check = installation.run("python", "-m", "pip", "check")
    assert check.returncode == 0, check.stdout


def test_the_diagnosis_is_that_of_the_checkout(installation: Installation) -> None:
    here = to_dict(diagnose(load(REPORT), options=Options(hotspots=True)))
    assert json.loads(installation.said(str(REPORT), "--format", "json")) == json.loads(json.dumps(here))


def test_every_format_is_drawn(installation: Installation) -> None:
    assert "c04_bank" in installation.said(str(REPORT))
    assert "<svg" in installation.said(str(REPORT), "--format", "html")
    for form in ("markdown", "csv", "sarif"):
        assert installation.said(str(REPORT), "--format", form)


def test_data_came_along(installation: Installation) -> None:
    folder = Path(installation.said("sections", "--path").strip())
    shipped = {path.name for path in (ROOT / "sections").glob("*.section")}
    assert shipped | {"ncuanalyze_verdict.py"} <= {path.name for path in folder.iterdir()}
    assert "h200-sxm" in installation.said("gpus")
    assert "shared_bank_conflicts" in installation.said("rules")
    checked = installation.said("sections", "--check", str(folder / "NcuAnalyzeVerdict.section"))
    assert ": error:" not in checked
    assert installation.said("model", "gemm", "m=4096", "n=4096", "k=4096", "--gpu", "h200")


def test_exports_need_no_ncu_report(installation: Installation) -> None:
    with_module = installation.said(str(EXPORT), "--format", "json")
    installation.run("python", "-m", "pip", "uninstall", "-q", "-y", "ncu-report")
    assert installation.said(str(EXPORT), "--format", "json") == with_module
    refused = installation.run("ncuanalyze", str(REPORT))
    assert refused.returncode == 1
    assert "ncu_report" in refused.stderr
    assert "pip install ncu-report" in refused.stderr
    assert "--csv" in refused.stderr
    assert "Traceback" not in refused.stderr
