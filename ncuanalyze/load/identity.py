"""Who a launch is: its columns in an export, or its ``launch__*`` metrics, as a ``KernelLaunch``."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence

from ncuanalyze.load.bounded import MOST_RANGES, bounded, bounded_label
from ncuanalyze.load.device import device_of
from ncuanalyze.load.names import function_name
from ncuanalyze.load.nvtx import range_names
from ncuanalyze.profile import Dim3, KernelLaunch, Metrics, StoredResult, Workload

_DIM3 = re.compile(r"\(?\s*(\d{1,10})\s*[,x]\s*(\d{1,10})\s*[,x]\s*(\d{1,10})\s*\)?")
_DURATIONS = ("gpu__time_duration.sum", "gpu__time_duration.avg", "gpu__time_duration.max")


def launch_of_row(
    row: Mapping[str, str],
    metrics: Metrics,
    *,
    sections: Sequence[str] = (),
    stored_results: Sequence[StoredResult] = (),
    id: str | None = None,
    invocations: int = 1,
    nvtx: tuple[str, ...] = (),
) -> KernelLaunch:
    """A launch from the leading columns of one row; columns the export lacks stay unknown."""
    workload = _workload(row, metrics)
    is_kernel = workload is Workload.KERNEL
    ranges = tuple(map(bounded, (nvtx or range_names(row))[:MOST_RANGES]))
    kernel = bounded(_without_range(row.get("Kernel Name", ""), ranges))
    return KernelLaunch(
        id=bounded_label(row.get("ID", "")) if id is None else id,
        name=function_name(kernel),
        demangled=kernel,
        metrics=metrics,
        device=device_of(metrics, row.get("CC", "")),
        grid=dim3(row.get("Grid Size", "")) if is_kernel else None,
        block=dim3(row.get("Block Size", "")) if is_kernel else None,
        nvtx=ranges,
        workload=workload,
        failed=has_failed(metrics),
        sections=sections,
        stored_results=stored_results,
        context=bounded_label(row.get("Context", "")),
        stream=bounded_label(row.get("Stream", "")) if is_kernel else "",
        invocations=invocations,
    )


def dim3(text: str) -> Dim3 | None:
    """``(256, 1, 1)`` as numbers; None for a size of zero, which ncu prints where it knows none."""
    found = _DIM3.fullmatch(text.strip())
    if found is None:
        return None
    x, y, z = (int(number) for number in found.groups())
    return (x, y, z) if x and y and z else None


def has_failed(metrics: Metrics) -> bool:
    """Whether the launch failed: its duration was collected and is not a number."""
    values = (metrics.raw(name) for name in _DURATIONS)
    return any(isinstance(value, float) and math.isnan(value) for value in values)


def _without_range(kernel: str, ranges: Sequence[str]) -> str:
    """The kernel name without the innermost NVTX range, which ``--print-nvtx-rename kernel`` puts before it."""
    return kernel.removeprefix(f"{ranges[-1]}/") if ranges else kernel


def _workload(row: Mapping[str, str], metrics: Metrics) -> Workload:
    kernel = row.get("Kernel Name", "")
    if kernel == "range" and (row.get("Stream") == "n/a" or "Grid Size" not in row):
        return Workload.RANGE
    if metrics.raw("launch__graph_is_device_launchable") is not None:
        return Workload.GRAPH
    if kernel == "graph" and not _has_launch_limits(metrics):
        return Workload.GRAPH
    return Workload.KERNEL


def _has_launch_limits(metrics: Metrics) -> bool:
    kept = ("launch__waves_per_multiprocessor", "launch__shared_mem_per_block_static")
    return any(metrics.raw(name) is not None for name in kept)
