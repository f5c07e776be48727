"""Several reports as one diagnosis: the kernels of all, their shares of the whole time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ncuanalyze.diagnosis import Diagnosis, KernelDiagnosis
from ncuanalyze.grouping import groups_of
from ncuanalyze.story import story_of


def merge(parts: Sequence[Diagnosis]) -> Diagnosis:
    """One diagnosis; kernel ids become ``file:id``, and what differs between the reports is a warning."""
    total = sum(part.total_ns or 0.0 for part in parts) or None
    kernels = tuple(_moved(item, part.source.file, total) for part in parts for item in part.kernels)
    findings = tuple(finding for part in parts for finding in part.findings)
    groups = groups_of(kernels, total)
    first = parts[0]
    return replace(
        first,
        source=replace(first.source, file=", ".join(part.source.file for part in parts)),
        kernels=kernels,
        total_ns=total,
        story=story_of(kernels, groups, findings, total),
        findings=findings,
        groups=groups,
        warnings=(*_differences(parts), *(warning for part in parts for warning in part.warnings)),
    )


def _moved(item: KernelDiagnosis, file: str, total: float | None) -> KernelDiagnosis:
    share = 100 * item.duration_ns / total if item.duration_ns is not None and total else None
    return replace(item, kernel=replace(item.kernel, id=f"{file}:{item.kernel.id}"), time_share_pct=share)


def _differences(parts: Sequence[Diagnosis]) -> list[str]:
    gpus = {part.device.name for part in parts}
    versions = {part.source.ncu_version for part in parts}
    return [
        f"the reports are of different {what}: {', '.join(sorted(map(str, values)))}"
        for what, values in (("GPUs", gpus), ("ncu versions", versions))
        if len(values) > 1
    ]
