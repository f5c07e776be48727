"""When samples may blame a line and how much source is shown: ``source.toml``."""

from __future__ import annotations

from functools import cache

from ncuanalyze.data import table


def limit(name: str) -> float:
    """A number of ``source.toml``; each has its unit and its reason there."""
    return _limits()[name]


@cache
def _limits() -> dict[str, float]:
    return {name: float(entry["value"]) for name, entry in table("analysis", "source").items()}
