"""The locks and the bounds of setup.cfg say the same."""

from __future__ import annotations

import configparser
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

ROOT = Path(__file__).parents[2]
PIN = re.compile(r"^([a-zA-Z0-9][\w.-]*)==(\S+)(.*)$", re.MULTILINE)
LOCKS = ("dev", "full", "release", "fuzz", "minimum")


def canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def pins(lock: str) -> dict[str, str]:
    """The pinned version by name; of several for different Pythons, the first."""
    text = (ROOT / "requirements" / f"{lock}.txt").read_text(encoding="utf-8")
    found: dict[str, str] = {}
    for name, version, _ in PIN.findall(text):
        found.setdefault(canonical(name), version)
    return found


def stated(*, dev: bool) -> Iterator[Requirement]:
    """What setup.cfg requires: of every user's install and extra, or of developers."""
    config = configparser.ConfigParser()
    config.read(ROOT / "setup.cfg")
    texts = [config["options"]["install_requires"]]
    texts += [text for extra, text in config["options.extras_require"].items() if extra != "dev" or dev]
    for line in "\n".join(texts).splitlines():
        if line.strip():
            yield Requirement(line)


def test_every_requirement_is_locked_within_its_bounds() -> None:
    locked = pins("dev")
    for requirement in stated(dev=True):
        assert Version(locked[canonical(requirement.name)]) in requirement.specifier, requirement


def test_the_bill_of_materials_is_of_what_is_tested() -> None:
    full, tested = pins("full"), pins("dev")
    assert {name: tested.get(name) for name in full} == full
    assert {canonical(requirement.name) for requirement in stated(dev=False)} <= set(full)


def test_the_minimum_is_tested() -> None:
    locked = pins("minimum")
    for requirement in stated(dev=False):
        (bound,) = requirement.specifier
        assert bound.operator == ">="
        assert Version(locked[canonical(requirement.name)]) == Version(bound.version), requirement


@pytest.mark.parametrize("lock", LOCKS)
def test_every_pin_has_hashes_and_no_address(lock: str) -> None:
    text = (ROOT / "requirements" / f"{lock}.txt").read_text(encoding="utf-8")
    blocks = re.split(r"^(?=[a-zA-Z0-9])", text, flags=re.MULTILINE)[1:]
    assert blocks
    assert all("--hash=sha256:" in block for block in blocks)
    assert "://" not in text
    assert "--index" not in text
