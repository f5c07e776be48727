"""Kernels of many GPUs and ncu versions: the bound is ncu's own, no rule breaks, none promises without counters."""

import json
import math
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from launches import BESIDE, FIXTURES

from ncuanalyze.diagnose import diagnose
from ncuanalyze.diagnosis import KernelDiagnosis
from ncuanalyze.load import load
from ncuanalyze.profile import MetricTable
from ncuanalyze.ruleset import load_rules

SHIPPED, ALL = FIXTURES / "arch", BESIDE / "arch"
BOUND_OF_TITLE = {
    "High Compute Throughput": {"compute"},
    "High Memory Throughput": {"memory"},
    "Balanced Throughput": {"balanced"},
    "Latency Issue": {"latency"},
    "Small Grid": {"latency"},
}
FAMILIES = ("sm__", "smsp__", "l1tex__", "lts__", "dram__", "gpu__", "gpc__", "launch__", "memory_", "sass_", "idc__")
DEVIATIONS: dict[str, str] = {}
"""Files where our bound is not the stored verdict's, and why. None so far."""


def entries(folder: Path) -> list[dict[str, Any]]:
    """The rows of a folder's index, with the file's path."""
    if not folder.is_dir():
        return []
    rows = json.loads((folder / "index.json").read_text(encoding="utf-8"))
    return [{**row, "path": _existing(folder / row["file"])} for row in rows]


def _existing(path: Path) -> Path:
    return path if path.exists() else path.with_name(f"{path.name}.xz")


def expected_bounds(row: dict[str, Any]) -> set[str]:
    """The bounds that the stored verdict stands for; ``High Throughput`` is the larger of both sides."""
    title, sm, memory = row["nvidia_verdict"], row["sm_sol_pct"], row["memory_sol_pct"]
    if title == "High Throughput":
        return {"compute"} if sm > memory else {"memory"} if memory > sm else {"compute", "memory"}
    if title is not None:
        return BOUND_OF_TITLE[title]
    if sm is None or memory is None:
        return {"inconclusive"}
    return {"latency"} if "Latency Issue" in row["note"] else {"compute", "memory", "latency", "balanced"}


@cache
def diagnosed(path: Path) -> KernelDiagnosis:
    (kernel,) = diagnose(load(path)).kernels
    return kernel


def file_id(row: dict[str, Any]) -> str:
    return f"{row['file'].partition('.')[0]} {row['device']} {row['nvidia_verdict']}"


SHIPPED_ROWS = entries(SHIPPED)
ROWS = entries(ALL) or SHIPPED_ROWS


def test_the_shipped_files_span_every_generation() -> None:
    assert {row["cc"] for row in SHIPPED_ROWS} == {"6.1", "7.0", "7.5", "8.0", "8.6", "8.9", "9.0", "10.0"}


@pytest.mark.skipif(not ALL.is_dir(), reason="the larger set is not beside this checkout")
def test_the_larger_set_is_whole() -> None:
    assert len(ROWS) == 62


@pytest.mark.parametrize("row", ROWS, ids=file_id)
def test_the_bound_is_the_stored_verdict(row: dict[str, Any]) -> None:
    if row["file"] in DEVIATIONS:
        pytest.skip(DEVIATIONS[row["file"]])
    assert diagnosed(row["path"]).bound.value in expected_bounds(row)


@pytest.mark.parametrize("row", ROWS, ids=file_id)
def test_no_rule_breaks_or_shows_evidence_that_does_not_hold(row: dict[str, Any]) -> None:
    kernel = diagnosed(row["path"])
    assert [finding.message for finding in kernel.findings if finding.kind == "error"] == []
    for finding in kernel.findings:
        assert all(math.isfinite(item.value) and item.holds for item in finding.evidence), finding


@pytest.mark.parametrize("row", ROWS, ids=file_id)
def test_nothing_is_promised_without_both_throughputs(row: dict[str, Any]) -> None:
    if row["sm_sol_pct"] is None or row["memory_sol_pct"] is None:
        kernel = diagnosed(row["path"])
        assert [finding.id for finding in kernel.findings if finding.speedup is not None] == []
        assert kernel.at_roofline is False
        assert kernel.headroom_pct is None


@pytest.mark.parametrize("row", ROWS, ids=file_id)
def test_no_gain_passes_the_launch_floor(row: dict[str, Any]) -> None:
    kernel = diagnosed(row["path"])
    gains = [finding.speedup for finding in kernel.findings if finding.speedup is not None]
    assert all(1 <= gain.low <= gain.estimate <= gain.high for gain in gains)
    if kernel.duration_ns:
        assert all(gain.high <= max(1.0, kernel.duration_ns / 1000) for gain in gains)


@pytest.mark.parametrize("family", FAMILIES)
def test_no_rule_breaks_without_a_family_of_counters(family: str) -> None:
    rules = load_rules()
    for row in SHIPPED_ROWS:
        profile = load(row["path"])
        launch = profile.launches[0]
        left = {name: launch.metrics.raw(name) for name in launch.metrics.names() if not name.startswith(family)}
        (kernel,) = diagnose(
            replace(profile, launches=(replace(launch, metrics=MetricTable(left)),)), ruleset=rules
        ).kernels
        assert [finding.message for finding in kernel.findings if finding.kind == "error"] == []
        assert all(item.holds for finding in kernel.findings for item in finding.evidence)
