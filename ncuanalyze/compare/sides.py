"""One matched group as a side of the comparison, and one set of files as a side of the report."""

from __future__ import annotations

from collections.abc import Sequence

from ncuanalyze.compare.comparison import KernelSide, ReportSide
from ncuanalyze.compare.launches import Group, median_of
from ncuanalyze.compare.noise import Noise
from ncuanalyze.compare.spread import spread_of
from ncuanalyze.diagnosis import Diagnosis


def kernel_side(group: Group, noise: Noise) -> KernelSide:
    """The group with its spread, and its clocks and cycles as medians over the launches."""
    kernels = [launch.diagnosis for launch in group.launches]
    return KernelSide(
        diagnosis=group.typical,
        launches=len(group.launches),
        launches_per_run=group.launches_per_run,
        total_ns=group.total_ns,
        spread=spread_of(group, noise),
        cycles=median_of([kernel.cycles for kernel in kernels]),
        sm_clock_hz=median_of([kernel.sm_clock_hz for kernel in kernels]),
        dram_clock_hz=median_of([kernel.dram_clock_hz for kernel in kernels]),
    )


def report_side(diagnoses: Sequence[Diagnosis], label: str = "") -> ReportSide:
    """The files of one side; the label defaults to their names."""
    files = tuple(dict.fromkeys(diagnosis.source.file for diagnosis in diagnoses))
    shown = files[0] if len(files) == 1 else f"{len(diagnoses)} files"
    return ReportSide(
        label=label or shown,
        sources=tuple(diagnosis.source for diagnosis in diagnoses),
        devices=tuple(dict.fromkeys(diagnosis.device for diagnosis in diagnoses)),
        launches=sum(len(diagnosis.kernels) for diagnosis in diagnoses),
    )
