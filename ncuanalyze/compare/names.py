"""Kernel names down to what stays the same when a kernel is edited."""

from __future__ import annotations

import re
from functools import cache

_NUMBER = re.compile(r"\d+")
_ANONYMOUS = re.compile(r"<unnamed>|\(anonymous namespace\)|\{anonymous\}")


@cache
def stem(name: str) -> str:
    """The function's own name: no return type, namespaces, template arguments or parameters.

    ``void at::f<int, g<2>>(int *)`` gives ``f``; a name without any letter outside brackets stays whole.
    """
    outside = _outside_brackets(_ANONYMOUS.sub("unnamed", name)).strip()
    words = outside.split()
    last = words[-1].rsplit("::", 1)[-1] if words else ""
    return last or name


@cache
def masked(name: str) -> str:
    """The stem with every number masked: generated names (``triton_poi_fused_add_3``) still match."""
    return _NUMBER.sub("#", stem(name))


def _outside_brackets(name: str) -> str:
    """Everything before the parameters that stands outside ``<>`` (the arrow ``->`` is no bracket)."""
    kept: list[str] = []
    depth = 0
    for position, char in enumerate(name):
        arrow = char == ">" and name[position - 1 : position] == "-"
        if char == "(" and depth == 0 and kept:
            break
        if char in "<(":
            depth += 1
        elif char in ">)" and not arrow:
            depth = max(0, depth - 1)
        elif depth == 0:
            kept.append(char)
    return "".join(kept)
