"""Each kernel's time over the runs of a branch, its levels, and where they changed."""

from __future__ import annotations

import itertools
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from ncuanalyze.history.change_points import change_points, segments
from ncuanalyze.history.store import KernelRow

SCHEMA = "ncuanalyze.trend/1"


@dataclass(frozen=True, kw_only=True)
class TrendPoint:
    """The kernel in one run."""

    commit: str
    at: str
    duration_ns: float
    bound: str = ""
    limiter: str = ""


@dataclass(frozen=True, kw_only=True)
class Level:
    """Runs ``first`` to ``last`` (places in the points) around one median."""

    first: int
    last: int
    median_ns: float


@dataclass(frozen=True, kw_only=True)
class Change:
    """A new level: ``place`` and ``commit`` of its first run, the commit before it, and the change in %."""

    place: int
    commit: str
    before: str
    at: str
    change_pct: float
    bound_moved: str = ""


@dataclass(frozen=True, kw_only=True)
class Series:
    """One kernel of one shape on one GPU; ``changes`` are those beyond noise, oldest first."""

    name: str
    nvtx: str
    grid: str
    block: str
    gpu: str
    points: tuple[TrendPoint, ...]
    levels: tuple[Level, ...]
    changes: tuple[Change, ...]


@dataclass(frozen=True, kw_only=True)
class Trend:
    """All series of a history, those that changed last first."""

    branch: str
    runs: int
    series: tuple[Series, ...]
    schema: str = SCHEMA


def trend_of(rows: Sequence[KernelRow], *, branch: str = "", threshold_pct: float | None = None) -> Trend:
    """The trend of the rows, which must be in the order of runs. Kernels without a duration are left out."""
    gathered: dict[tuple[str, ...], list[KernelRow]] = {}
    for row in rows:
        if row.duration_ns is not None and row.duration_ns > 0:
            gathered.setdefault((row.name, row.nvtx, row.grid, row.block, row.gpu), []).append(row)
    kernels = [_series(key, found, threshold_pct) for key, found in gathered.items()]
    runs = {(row.commit, row.at, row.file) for row in rows}
    series = sorted(kernels, key=lambda item: (-_last_change(item), -item.points[-1].duration_ns, item.name))
    return Trend(branch=branch, runs=len(runs), series=tuple(series))


def _last_change(series: Series) -> float:
    """How recent the last change is: its place as a share of the points; -1 without any."""
    return series.changes[-1].place / len(series.points) if series.changes else -1.0


def _series(key: tuple[str, ...], rows: Sequence[KernelRow], threshold_pct: float | None) -> Series:
    points = tuple(
        TrendPoint(
            commit=row.commit,
            at=row.at,
            duration_ns=row.duration_ns or 0.0,
            bound=row.bound,
            limiter=row.limiter,
        )
        for row in rows
    )
    times = [point.duration_ns for point in points]
    levels = tuple(
        Level(first=first, last=end - 1, median_ns=statistics.median(times[first:end]))
        for first, end in segments(len(times), change_points(times, threshold_pct=threshold_pct))
    )
    name, nvtx, grid, block, gpu = key
    return Series(
        name=name,
        nvtx=nvtx,
        grid=grid,
        block=block,
        gpu=gpu,
        points=points,
        levels=levels,
        changes=tuple(_change(points, before, after) for before, after in itertools.pairwise(levels)),
    )


def _change(points: Sequence[TrendPoint], before: Level, after: Level) -> Change:
    old, new = points[before.last], points[after.first]
    moved = "" if old.bound == new.bound else f"{old.bound} to {new.bound}"
    return Change(
        place=after.first,
        commit=new.commit,
        before=old.commit,
        at=new.at,
        change_pct=100.0 * (after.median_ns - before.median_ns) / before.median_ns,
        bound_moved=moved,
    )
