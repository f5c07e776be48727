"""Launches for the tests: from fixtures, or from a table of metrics."""

from functools import cache
from pathlib import Path

from ncuanalyze.load import load
from ncuanalyze.profile import Device, KernelLaunch, MetricTable, Profile

FIXTURES = Path(__file__).parents[2] / "fixtures" / "roofline"


@cache
def profile(name: str) -> Profile:
    return load(FIXTURES / f"{name}.raw.csv.xz")


def only(name: str) -> KernelLaunch:
    return profile(name).launches[0]


def gemm(nvtx: str) -> KernelLaunch:
    return next(launch for launch in profile("gemm").launches if nvtx in launch.nvtx)


def launch_of(
    metrics: dict[str, float | str | None], *, cc: tuple[int, int] | None = (9, 0), **device: object
) -> KernelLaunch:
    table: dict[str, float | str | None] = {
        "gpu__time_duration.sum": 1e6,
        "sm__cycles_elapsed.avg.per_second": 1e9,
        "sm__cycles_elapsed.avg": 1e6,
        **metrics,
    }
    return KernelLaunch(
        id="0",
        name="kernel",
        demangled="kernel",
        metrics=MetricTable(table),
        device=Device(compute_capability=cc, **device),  # type: ignore[arg-type]
    )
