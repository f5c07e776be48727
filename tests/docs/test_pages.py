"""The pages on modelling and the guide show what the commands print. UPDATE_DOCS=1 writes them anew."""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from ncuanalyze.cli.main import COMMANDS, group

ROOT = Path(__file__).parents[2]
PAGES = ("README.md", "docs/guide/README.md", "docs/guide/exercise.md", "docs/modelling.md")
BLOCK = re.compile(r"```console\n\$ (ncuanalyze [^\n]+)\n(.*?)```", re.S)
STYLE = re.compile(r"<style>.*?</style>", re.S)
LINK = re.compile(r"\]\(([^)#:]+)\)")
IMAGES = {
    "docs/images/model-gemm.svg": "ncuanalyze model gemm --sweep m=n=k=64..8192 -g a100 -g h100 -g b200 -f svg",
    "docs/images/occupancy-rmsnorm.svg": (
        "ncuanalyze occupancy fixtures/reports/triton.ncu-rep.xz -k rmsnorm_bad -f svg"
    ),
}


def _shown(page: str) -> dict[str, str]:
    return {match[1]: match[2] for match in BLOCK.finditer((ROOT / page).read_text("utf-8"))}


def _output(command: str) -> str:
    result = CliRunner().invoke(group, shlex.split(command)[1:], prog_name="ncuanalyze")
    assert result.exit_code == 0, result.output
    return result.stdout.rstrip("\n") + "\n"


@pytest.fixture(autouse=True)
def _at_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


@pytest.mark.skipif(os.environ.get("UPDATE_DOCS") != "1", reason="UPDATE_DOCS=1 writes the pages anew")
def test_write_the_pages() -> None:
    for page in PAGES:
        text = (ROOT / page).read_text("utf-8")
        fresh = BLOCK.sub(lambda match: f"```console\n$ {match[1]}\n{_output(match[1])}```", text)
        (ROOT / page).write_text(fresh, encoding="utf-8")
    for image, command in IMAGES.items():
        (ROOT / image).write_text(_output(command), encoding="utf-8")


@pytest.mark.parametrize(("page", "command"), [(page, command) for page in PAGES for command in _shown(page)])
def test_a_page_shows_what_the_command_prints(page: str, command: str) -> None:
    assert _shown(page)[command] == _output(command), (
        f"{page}: UPDATE_DOCS=1 pytest tests/docs writes it anew"
    )


@pytest.mark.parametrize("image", IMAGES)
def test_the_pictures_are_what_the_command_draws(image: str) -> None:
    drawn, stored = (STYLE.sub("", text) for text in (_output(IMAGES[image]), (ROOT / image).read_text("utf-8")))
    assert stored == drawn, "UPDATE_DOCS=1 pytest tests/docs draws it anew"


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    text = (ROOT / page).read_text("utf-8")
    assert all((ROOT / page).parent.joinpath(link).exists() for link in LINK.findall(text))


def test_the_python_example_runs() -> None:
    text = (ROOT / "docs/modelling.md").read_text("utf-8")
    code = re.findall(r"```python\n(.*?)```", text, re.S)[-1]
    names: dict[str, object] = {}
    exec(code, names)
    assert names["warps"] == 16
    assert names["floor_ns"] == pytest.approx(138_900, rel=1e-3)


def test_readme_names_every_command() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    assert [name for name in COMMANDS if f"`{name}`" not in text] == []


def test_readme_python_runs() -> None:
    code = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), re.S)[0]
    names: dict[str, object] = {}
    exec(code, names)
    assert str(names["page"]).startswith("<!doctype html>")
