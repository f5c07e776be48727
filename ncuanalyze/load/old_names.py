"""Reads Pascal's metric names under their present name (``old_names.toml``)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ncuanalyze.data import table

_MARKS = ("gpu__time_duration", "sm__sol_pct", "gpu__compute_memory_sol_pct", "smsp__inst_executed_sum")


def old_names(has: Callable[[str], bool]) -> Mapping[str, str]:
    """Present name -> old name for a launch that has old names; empty for any other launch."""
    names: Mapping[str, str] = table("load", "old_names")["names"] if any(map(has, _MARKS)) else {}
    return names
