"""Several reports as one diagnosis: the kernels of all, their shares of the whole time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ncuanalyze.diagnosis import Diagnosis, KernelDiagnosis
from ncuanalyze.grouping import groups_of
from ncuanalyze.report_findings import ranking
from ncuanalyze.story import story_of


def merge(parts: Sequence[Diagnosis]) -> Diagnosis:
    """One diagnosis; kernel ids become ``file:id``, and what differs between the reports is a warning."""
    moved = [_renamed(part, part.source.file) for part in parts]
    total = sum(part.total_ns or 0.0 for part in parts) or None
    kernels = tuple(_shared(item, part.total_ns, total) for part in moved for item in part.kernels)
    first = parts[0]
    whole = replace(
        first,
        source=replace(first.source, file=", ".join(part.source.file for part in parts)),
        findings=tuple(finding for part in moved for finding in part.findings),
        warnings=(*_differences(parts), *(warning for part in parts for warning in part.warnings)),
    )
    return _retold(whole, kernels, total)


def only(diagnosis: Diagnosis, kernels: Sequence[KernelDiagnosis]) -> Diagnosis:
    """The diagnosis of some of its kernels: shares, groups and story speak of these alone."""
    shares = [item.time_share_pct for item in kernels if item.time_share_pct is not None]
    total = (diagnosis.total_ns or 0.0) * sum(shares) / 100 or None
    kept = {item.kernel.id for item in kernels}
    findings = tuple(finding for finding in diagnosis.findings if kept.issuperset(finding.kernels))
    shared = tuple(_shared(item, diagnosis.total_ns, total) for item in kernels)
    return _retold(replace(diagnosis, findings=findings), shared, total)


def _retold(whole: Diagnosis, kernels: tuple[KernelDiagnosis, ...], total: float | None) -> Diagnosis:
    from ncuanalyze.ruleset import load_rules

    ranked = ranking(kernels, load_rules().limits("report"))
    causes = tuple(finding for finding in whole.findings if finding.kind != "ranking")
    findings = (ranked, *causes) if ranked is not None else causes
    groups = groups_of(kernels, total)
    story = story_of(kernels, findings, total)
    return replace(whole, kernels=kernels, total_ns=total, story=story, findings=findings, groups=groups)


def _renamed(part: Diagnosis, file: str) -> Diagnosis:
    """The diagnosis with ``file:id`` for every kernel's id."""
    kernels = tuple(replace(item, kernel=replace(item.kernel, id=f"{file}:{item.kernel.id}")) for item in part.kernels)
    findings = tuple(replace(f, kernels=tuple(f"{file}:{kernel}" for kernel in f.kernels)) for f in part.findings)
    return replace(part, kernels=kernels, findings=findings)


def _shared(item: KernelDiagnosis, old_total: float | None, total: float | None) -> KernelDiagnosis:
    if item.time_share_pct is None or not old_total or not total:
        return replace(item, time_share_pct=None)
    return replace(item, time_share_pct=item.time_share_pct * old_total / total)


def _differences(parts: Sequence[Diagnosis]) -> list[str]:
    gpus = {part.device.name for part in parts}
    versions = {part.source.ncu_version for part in parts}
    return [
        f"the reports are of different {what}: {', '.join(sorted(filter(None, values)))}"
        for what, values in (("GPUs", gpus), ("ncu versions", versions))
        if len(values - {None, ""}) > 1
    ]
