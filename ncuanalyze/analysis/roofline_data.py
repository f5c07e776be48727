"""The numbers and names behind the roofline (``roofline.toml``)."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def roofline_data() -> dict[str, Any]:
    """``level``, ``neighbours`` and ``thresholds`` of ``roofline.toml``."""
    return tomllib.loads(files(__package__).joinpath("roofline.toml").read_text("utf-8"))


def threshold(name: str) -> float:
    """One number of ``[thresholds]``."""
    return float(roofline_data()["thresholds"][name])
