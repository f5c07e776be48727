"""NVTX columns of an export: the names of the ranges a launch is in, outermost first."""

from __future__ import annotations

import re
from collections.abc import Mapping

_BETWEEN = re.compile(r'"\s+(?:\d+\s{2,}|(?<=\s\s))"')
_ATTRIBUTES = 6


def range_names(record: Mapping[str, str]) -> tuple[str, ...]:
    """Names of push/pop and start/end ranges of one row.

    A cell reads ``thread  "domain:name:PL_Type:PL_Value:CLR_Type:Color:Msg_Type:Msg"  "..."``.
    """
    cells = (value for column, value in record.items() if "Domain:" in column and "_Range" in column)
    return tuple(name for cell in cells for entry in _entries(cell) if (name := _name(entry)))


def _entries(cell: str) -> list[str]:
    """What stands in quotes: an entry ends at a quote before two spaces, or a number, and the next quote."""
    quoted = cell.rstrip().partition('"')[2]
    return _BETWEEN.split(quoted[:-1]) if quoted.endswith('"') else _BETWEEN.split(quoted)[:-1]


def _name(entry: str) -> str:
    domain_and_name = entry.rsplit(":", _ATTRIBUTES)[0]
    return domain_and_name.partition(":")[2]
