"""One side of a comparison as launches in order, gathered into groups of the same kernel and shape."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from ncuanalyze.diagnosis import Device, Diagnosis, KernelDiagnosis


@dataclass(frozen=True, kw_only=True)
class Launch:
    """One launch, the run (file) it comes from, and that run's GPU."""

    diagnosis: KernelDiagnosis
    run: int
    device: Device

    @property
    def duration_ns(self) -> float | None:
        """The duration, or None where it is missing or not finite."""
        return finite(self.diagnosis.duration_ns)


@dataclass(frozen=True, kw_only=True, eq=False)
class Group:
    """All launches of one kernel with one shape in one NVTX path, in order."""

    launches: tuple[Launch, ...]
    order: int

    @property
    def first(self) -> KernelDiagnosis:
        """The launch that stands for names and shape."""
        return self.launches[0].diagnosis

    @property
    def durations(self) -> tuple[float, ...]:
        """The known durations, in order."""
        return tuple(time for launch in self.launches if (time := launch.duration_ns) is not None)

    @property
    def durations_by_run(self) -> tuple[tuple[float, ...], ...]:
        """The known durations of each run that has any."""
        by_run: dict[int, list[float]] = {}
        for launch in self.launches:
            if (time := launch.duration_ns) is not None:
                by_run.setdefault(launch.run, []).append(time)
        return tuple(tuple(times) for times in by_run.values())

    @property
    def total_ns(self) -> float | None:
        """The time of all launches in a run, the median over runs; None where no duration is known."""
        sums = [math.fsum(times) for times in self.durations_by_run]
        return statistics.median(sums) if sums else None

    @property
    def launches_per_run(self) -> float:
        """Launches over the runs that hold the kernel."""
        return len(self.launches) / len({launch.run for launch in self.launches})

    @property
    def typical(self) -> KernelDiagnosis:
        """The launch nearest to the median duration."""
        known = [launch for launch in self.launches if launch.duration_ns is not None]
        if not known:
            return self.first
        middle = statistics.median(self.durations)
        return min(known, key=lambda launch: abs((launch.duration_ns or 0.0) - middle)).diagnosis


def launches_of(diagnoses: Sequence[Diagnosis]) -> tuple[Launch, ...]:
    """Every launch of one side, run after run."""
    return tuple(
        Launch(diagnosis=kernel, run=run, device=diagnosis.device)
        for run, diagnosis in enumerate(diagnoses)
        for kernel in diagnosis.kernels
    )


def groups_of(launches: Sequence[Launch]) -> tuple[Group, ...]:
    """The launches gathered by full name, NVTX path, shape and kind of workload, in order of appearance."""
    gathered: dict[object, list[Launch]] = {}
    for launch in launches:
        kernel = launch.diagnosis.kernel
        key = (kernel.demangled or kernel.name, kernel.nvtx, kernel.grid, kernel.block, kernel.workload)
        gathered.setdefault(key, []).append(launch)
    return tuple(Group(launches=tuple(found), order=order) for order, found in enumerate(gathered.values()))


def finite(value: float | None) -> float | None:
    """The value, or None where it is missing, NaN or infinite."""
    return value if value is not None and math.isfinite(value) else None


def median_of(values: Sequence[float | None]) -> float | None:
    """The median of the finite values; None where there is none."""
    known = [value for value in map(finite, values) if value is not None]
    return statistics.median(known) if known else None
