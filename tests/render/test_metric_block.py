"""Every metric of a page in one deflated block."""

from __future__ import annotations

import base64
import json
import math
import zlib
from typing import Any

from ncuanalyze.diagnosis import MetricValue
from ncuanalyze.render.metric_block import metric_block

from .documents import bare_kernel


def unpacked(*kernels: tuple[MetricValue, ...]) -> Any:
    block = metric_block([bare_kernel(metrics=metrics) for metrics in kernels])
    return json.loads(zlib.decompress(base64.b64decode(block)))


def test_one_cell_a_kernel_and_name() -> None:
    data = unpacked(
        (
            MetricValue(name="b.sum", value=1234567.0, unit="byte"),
            MetricValue(name="a", value=0.12345678),
            MetricValue(name="t", value="PreferNone"),
        ),
        (MetricValue(name="b.sum", value=None, unit="byte", missing="not a number"),),
    )
    assert data["names"] == ["a", "b.sum", "t"]
    assert data["units"] == ["", "byte", ""]
    assert data["cells"] == [[0.123457, None], [1234570, ["not a number"]], ["PreferNone", None]]


def test_lists_of_names_are_left_out_and_long_texts_cut() -> None:
    data = unpacked(
        (MetricValue(name="group:x", value="a,b"), MetricValue(name="k\u202e" * 200, value="v" * 900))
    )
    assert len(data["names"]) == 1
    assert len(data["names"][0]) == len(data["cells"][0][0]) == 200
    assert "\u202e" not in data["names"][0]


def test_nothing_without_metrics() -> None:
    assert metric_block([bare_kernel()]) == ""


def test_a_number_that_is_none_is_valid_json() -> None:
    assert unpacked((MetricValue(name="a", value=math.inf, unit=""),))["cells"] == [[["not a number"]]]
