"""The numbers and names behind the roofline (``roofline.toml``)."""

from __future__ import annotations

from typing import Any

from ncuanalyze.data import table


def roofline_data() -> dict[str, Any]:
    """``level``, ``neighbours`` and ``thresholds`` of ``roofline.toml``."""
    return table("analysis", "roofline")


def threshold(name: str) -> float:
    """One number of ``[thresholds]``."""
    return float(roofline_data()["thresholds"][name])
