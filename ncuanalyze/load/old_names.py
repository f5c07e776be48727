"""Reads Pascal's metric names under their present name (``old_names.toml``)."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files

_MARKS = ("gpu__time_duration", "sm__sol_pct", "gpu__compute_memory_sol_pct", "smsp__inst_executed_sum")


def old_names(has: Callable[[str], bool]) -> Mapping[str, str]:
    """Present name -> old name for a launch that has old names; empty for any other launch."""
    return _table() if any(has(mark) for mark in _MARKS) else {}


@cache
def _table() -> Mapping[str, str]:
    text = (files("ncuanalyze.load") / "old_names.toml").read_text(encoding="utf-8")
    names: dict[str, str] = tomllib.loads(text)["names"]
    return names
