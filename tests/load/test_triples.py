"""The report, the raw page and the details page of one run load to the same profile."""

import math
import re

import pytest

from load.paths import FIXTURES, LABELLED, TRIPLES
from ncuanalyze.load import load
from ncuanalyze.load.cells import CellMetrics
from ncuanalyze.profile import KernelLaunch
from ncuanalyze.units import unit_of_metric

SHIPPED = [FIXTURES / "demo", *(TRIPLES / name for name in ("c14", "c26", "eager"))]
ALL_LABELLED = sorted(LABELLED.glob("reports/*.ncu-rep.xz"))
# ncu 2025.3.1 prints this sum of percentages over 1000 as %/Kbyte where the report has it over 1 as %/byte
PRINTED_IN_ANOTHER_SCALE = "derived__pct_occupancy_per_shared_mem_size"
_DECIMALS = re.compile(r"[-+]?[\d,]*\.?(\d*)")


def identity(launch: KernelLaunch) -> tuple:
    device = launch.device.compute_capability
    return (
        launch.id,
        launch.name,
        launch.grid,
        launch.block,
        launch.nvtx,
        launch.workload,
        launch.failed,
        launch.context,
        launch.stream,
        device,
    )


def agrees(report: KernelLaunch, printed: KernelLaunch, name: str) -> bool:
    """Whether the printed value is the report's, to the digits printed. ncu prints small negative counts as 0."""
    theirs, ours = printed.metrics.raw(name), report.metrics.raw(name)
    if not isinstance(ours, float) or not isinstance(theirs, float):
        return ours == theirs
    assert isinstance(printed.metrics, CellMetrics)
    cell, unit = printed.metrics._cells[name], printed.metrics._units.get(name, "")
    step = 10.0 ** -len(_DECIMALS.match(cell)[1]) * unit_of_metric(name, unit).factor
    same_nan = math.isnan(ours) and math.isnan(theirs)
    return same_nan or abs(ours - theirs) <= 0.51 * step + 1e-9 * abs(ours) or (ours < 0 and theirs == 0)


def check(report, raw, details):
    pages = [load(report), load(raw), load(details)]
    assert [list(map(identity, page.launches)) for page in pages[1:]] == [
        list(map(identity, pages[0].launches))
    ] * 2
    for ours, wide, long in zip(*(page.launches for page in pages), strict=True):
        listed = {name for name in ours.metrics.names() if not name.startswith(("breakdown:", "group:"))}
        assert set(wide.metrics.names()) == listed
        assert set(long.metrics.names()) <= listed
        assert wide.device == ours.device
        for page in (wide, long):
            names = [name for name in page.metrics.names() if name != PRINTED_IN_ANOTHER_SCALE]
            assert [name for name in names if not agrees(ours, page, name)] == []
            assert [name for name in names if ours.metrics.unit(name) != page.metrics.unit(name)] == []
        assert outline(long) == outline(ours)


def outline(launch: KernelLaunch) -> list[tuple]:
    results = launch.stored_results
    return sorted(
        (r.rule, r.section, r.kind, r.speedup_scope, r.title if r.rule == "SOLBottleneck" else "")
        for r in results
    )


@pytest.mark.parametrize("stem", SHIPPED, ids=lambda stem: stem.name)
def test_shipped_triple(stem):
    check(f"{stem}.ncu-rep.xz", f"{stem}.raw.csv.xz", f"{stem}.details.csv.xz")


@pytest.mark.skipif(not ALL_LABELLED, reason="the labelled reports are not beside this checkout")
@pytest.mark.parametrize("report", ALL_LABELLED, ids=lambda path: path.name.removesuffix(".ncu-rep.xz"))
def test_labelled_triple(report):
    stem = LABELLED / "csv" / report.name.removesuffix(".ncu-rep.xz")
    check(report, f"{stem}.raw.csv.xz", f"{stem}.details.csv.xz")


def test_every_fixture_says_how_it_was_made():
    reports = {path.parent for path in FIXTURES.rglob("*.ncu-rep*") if path.parent != FIXTURES}
    assert {
        folder.name
        for folder in reports
        if not any(folder.glob("*how.toml")) and not (folder / "README.md").exists()
    } == set()
    assert (FIXTURES / "demo.how.toml").exists()
