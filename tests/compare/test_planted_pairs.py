"""Every planted bottleneck against its fix: the verdict, the size of the gain, and the cause that went."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from ncuanalyze.compare import Fate, Options, Pair, Verdict, compare
from ncuanalyze.diagnose import diagnose
from ncuanalyze.diagnosis import Diagnosis
from ncuanalyze.load import load

PLANTED = Path(__file__).parents[2] / "../shared/planted"
pytestmark = pytest.mark.skipif(not PLANTED.exists(), reason="the planted suite is not beside the repository")


def pairs() -> list[dict[str, Any]]:
    if not PLANTED.exists():
        return []
    labels = json.loads((PLANTED / "labels.json").read_text())
    return [item for item in labels if item["fixed_by"] and item.get("kernel") and item["speedup"]]


@cache
def diagnosed(report: str) -> Diagnosis:
    return diagnose(load(PLANTED / "reports" / f"{report}.xz"))


@pytest.mark.parametrize("label", pairs(), ids=lambda label: label["kernel"])
def test_the_fix_is_faster_by_what_was_measured_without_a_profiler(label: dict[str, Any]) -> None:
    side = [diagnosed(label["report"])]
    result = compare(side, side, Options(pairs=(Pair(label["kernel"], label["fixed_by"]),)))
    (kernel,) = result.kernels
    assert kernel.verdict is Verdict.FASTER
    assert kernel.why is not None
    assert kernel.speedup == pytest.approx(label["speedup"], rel=0.25)
    fates = {item.id: item.fate for item in kernel.why.findings}
    if label["fix_cause"] in fates:
        assert fates[label["fix_cause"]] in (Fate.GONE, Fate.SHRUNK)
    assert kernel.why.main
    for row in kernel.why.work_rates:
        assert row.work_ratio / row.rate_ratio == pytest.approx(1 / kernel.speedup, rel=1e-6)
