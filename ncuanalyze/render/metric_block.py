"""Every metric of every kernel in one small block: names once, values deflated; the page unpacks it."""

from __future__ import annotations

import base64
import json
import math
import zlib
from collections.abc import Sequence

from ncuanalyze.diagnosis import KernelDiagnosis, MetricValue
from ncuanalyze.render.names import safe_text

NAME_LISTS = ("breakdown:", "group:")
TEXT_LENGTH = 200
DIGITS = 6

Cell = float | int | str | list[str] | None


def metric_block(kernels: Sequence[KernelDiagnosis]) -> str:
    """Deflated JSON in base64: ``names``, ``units``, and per name one cell a kernel; "" without metrics.

    A cell is a number (six significant digits), a text, ``null`` where the kernel does not list the metric,
    or ``[reason]`` where its value is missing. Metrics that only list the names of others are left out.
    """
    tables = [{metric.name: metric for metric in kernel.metrics} for kernel in kernels]
    names = sorted({name for table in tables for name in table if not name.startswith(NAME_LISTS)})
    if not names:
        return ""
    units = [next(_text(table[name].unit) for table in tables if name in table) for name in names]
    cells = [[_cell(table.get(name)) for table in tables] for name in names]
    data = {"names": [_text(name) for name in names], "units": units, "cells": cells}
    packed = zlib.compress(json.dumps(data, separators=(",", ":"), ensure_ascii=False).encode(), 9)
    return base64.b64encode(packed).decode("ascii")


def _text(text: str) -> str:
    return safe_text(text)[:TEXT_LENGTH]


def _cell(metric: MetricValue | None) -> Cell:
    if metric is None:
        return None
    if metric.value is None:
        return [_text(metric.missing)]
    if isinstance(metric.value, str):
        return _text(metric.value)
    if not math.isfinite(metric.value):
        return ["not a number"]
    if not metric.value:
        return 0
    rounded = float(f"{metric.value:.{DIGITS}g}")
    return int(rounded) if rounded.is_integer() else rounded
