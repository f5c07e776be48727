"""``action.yml``: everything pinned, every input used, nothing of an input in a shell line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "action.yml").read_text(encoding="utf-8")
WORKFLOWS = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("text", [TEXT, WORKFLOWS], ids=["action.yml", "docs/ci.md"])
def test_actions_are_pinned_to_commits(text: str) -> None:
    used = re.findall(r"uses: (\S+)@(\S+)", text)
    others = [(name, ref) for name, ref in used if not name.startswith("OWNER/")]
    assert others
    assert [name for name, ref in others if not re.fullmatch(r"[0-9a-f]{40}", ref)] == []


def test_requirements_are_pinned_with_hashes() -> None:
    text = (ROOT / "action" / "requirements.txt").read_text(encoding="utf-8")
    names = re.findall(r"^([a-z][a-z0-9-]*)==(\S+)", text, re.MULTILINE)
    assert {"click", "jinja2", "ncu-report", "numpy", "pandas", "rich", "setuptools"} <= {name for name, _ in names}
    assert text.count("--hash=sha256:") >= len(names)
    wanted = (ROOT / "action" / "requirements.in").read_text(encoding="utf-8").split()
    assert set(wanted) <= {name for name, _ in names}


def test_inputs_reach_shells_by_environment_only() -> None:
    shells = re.findall(r"^ +run: (.*)$", TEXT, re.MULTILINE)
    assert shells
    assert [line for line in shells if "${{" in line] == []


def test_every_input_is_used_and_documented() -> None:
    inputs = re.findall(r"^  ([a-z-]+):$", TEXT.split("outputs:")[0].split("inputs:")[1], re.MULTILINE)
    assert [name for name in inputs if f"inputs.{name}" not in TEXT] == []
    assert [name for name in inputs if f"`{name}`" not in WORKFLOWS] == []


def test_every_output_is_set_by_a_step() -> None:
    outputs = re.findall(r"steps\.analyse\.outputs\.([a-z-]+)", TEXT)
    script = (ROOT / "action" / "analyse.py").read_text(encoding="utf-8")
    assert [name for name in set(outputs) if f'"{name}"' not in script] == []
