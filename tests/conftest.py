"""What all tests share: where the fixtures are, launches from a dict, and how golden files are refreshed."""

import os
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import launches
import pytest
from hypothesis import settings

from ncuanalyze.load import ncu_rep
from ncuanalyze.load.container import Plain
from ncuanalyze.profile import Profile

settings.register_profile("suite", deadline=None, derandomize=bool(os.environ.get("CI")))
settings.load_profile("suite")
"""CI draws the same examples every time: a run that fails there fails for its change."""

READERS = {"load", "batch", "fuzz", "packaging"}
"""Folders of tests that read every report anew; the others are given what was read before."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="write the golden files again")


@pytest.fixture
def update_golden(request: pytest.FixtureRequest) -> bool:
    """Whether the golden files are to be written instead of compared."""
    return bool(request.config.getoption("--update-golden"))


@pytest.fixture(scope="session")
def fixtures() -> Path:
    """The folder of real input."""
    return launches.FIXTURES


@pytest.fixture(scope="session")
def make_launch():
    """A launch from a dict of metrics; see ``launches.make_launch``."""
    return launches.make_launch


@pytest.fixture(scope="session")
def make_profile():
    """A profile of several launches; see ``launches.make_profile``."""
    return launches.make_profile


@pytest.fixture(autouse=True)
def _reports_are_read_once(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """NVIDIA's module never gives back what it loads: a suite that reads a report anew in each test needs gigabytes."""
    if not READERS & set(request.path.parts):
        monkeypatch.setattr(ncu_rep, "read_report", _read_once)


_READ: dict[bytes, Profile] = {}
_read_report = ncu_rep.read_report


def _read_once(plain: Plain, path: str) -> Profile:
    key = sha256(plain.path.read_bytes()).digest()
    if key not in _READ:
        _READ[key] = _read_report(plain, path)
    return replace(_READ[key], path=path)
