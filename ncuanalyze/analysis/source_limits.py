"""When samples may blame a line and how much source is shown: ``source.toml``."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


def limit(name: str) -> float:
    """A number of ``source.toml``; each has its unit and its reason there."""
    return _limits()[name]


@cache
def _limits() -> dict[str, float]:
    import tomllib

    text = files("ncuanalyze.analysis").joinpath("source.toml").read_text(encoding="utf-8")
    return {name: float(entry["value"]) for name, entry in tomllib.loads(text).items()}
