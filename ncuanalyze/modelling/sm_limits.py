"""What one SM holds, by compute capability."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from ncuanalyze.data import table
from ncuanalyze.errors import InvalidInput


@dataclass(frozen=True, kw_only=True)
class SmLimits:
    """Resources of an SM and the units they are given out in. Sources: ``sm_limits.toml``.

    ``barriers_per_sm`` counts for occupancy from compute capability 9.0 on.
    """

    compute_capability: tuple[int, int]
    warps_per_sm: int
    blocks_per_sm: int
    shared_bytes_per_sm: int
    shared_bytes_per_block: int
    shared_unit_bytes: int
    reserved_shared_bytes: int
    barriers_per_sm: int
    warp_threads: int
    threads_per_block: int
    registers_per_thread: int
    registers_per_sm: int
    register_unit_per_warp: int
    sub_partitions: int
    shared_steps_bytes: tuple[int, ...] = ()


@cache
def sm_limits(compute_capability: tuple[int, int]) -> SmLimits:
    """The limits of one compute capability, such as ``(9, 0)``; ``InvalidInput`` for an unknown one."""
    table = _table()
    name = "{}.{}".format(*compute_capability)
    if name not in table or name == "common":
        known = ", ".join(key for key in table if key != "common")
        raise InvalidInput(f"no SM limits for compute capability {name}", hint=f"known: {known}")
    values = {**table["common"], **table[name]}
    values.pop("unit")
    steps = tuple(1024 * step for step in values.pop("shared_steps_kb", ()))
    return SmLimits(compute_capability=compute_capability, shared_steps_bytes=steps, **values)


def _table() -> dict[str, Any]:
    return table("modelling", "sm_limits")
