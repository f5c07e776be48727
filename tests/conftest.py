"""What all tests share: where the fixtures are, launches from a dict, and how golden files are refreshed."""

from pathlib import Path

import launches
import pytest


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
