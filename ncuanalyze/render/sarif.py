"""A diagnosis as SARIF: each cause once for each kernel, at its source lines."""

from __future__ import annotations

from collections.abc import Iterator

from ncuanalyze.diagnosis import Diagnosis, Finding, KernelDiagnosis, Severity
from ncuanalyze.render.numbers import evidence_text, speedup_text
from ncuanalyze.render.sarif_log import Result, Rule, sarif_log

LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
BROKEN_RULE = "error"


def render(diagnosis: Diagnosis) -> str:
    """The log as JSON text. Launches of one kernel share a result; broken rules are the tool's own notes."""
    findings = [*diagnosis.findings, *(item for kernel in diagnosis.kernels for item in kernel.findings)]
    broken = [f"{item.id}: {item.message}" for item in findings if item.kind == BROKEN_RULE]
    notes = tuple(dict.fromkeys((*diagnosis.warnings, *broken)))
    return sarif_log(_results(diagnosis), diagnosis.tool, category="diagnose", notes=notes)


def _results(diagnosis: Diagnosis) -> Iterator[Result]:
    report = diagnosis.source.file
    yield from (finding_result(item, "", report) for item in diagnosis.findings if item.kind != BROKEN_RULE)
    best: dict[tuple[str, str], tuple[Finding, KernelDiagnosis]] = {}
    for kernel in diagnosis.kernels:
        for finding in kernel.findings:
            key = (finding.id, kernel.kernel.demangled)
            if finding.kind != BROKEN_RULE and (key not in best or _gain(finding) > _gain(best[key][0])):
                best[key] = (finding, kernel)
    yield from (finding_result(item, kernel.kernel.demangled, report) for item, kernel in best.values())


def finding_result(finding: Finding, kernel: str, artifact: str) -> Result:
    """One finding as a result: what it is, what proves it, what it pays, what to change."""
    gain = f" Estimated gain {speedup_text(finding.speedup)}." if finding.speedup else ""
    proof = f" ({'; '.join(map(evidence_text, finding.evidence))})" if finding.evidence else ""
    about = f"{kernel}: " if kernel else ""
    properties: list[tuple[str, float | str]] = [("confidence", finding.confidence.value)]
    if finding.speedup:
        properties.append(("speedupEstimate", finding.speedup.estimate))
    return Result(
        rule=Rule(id=finding.id, title=finding.title, help="\n".join(finding.advice)),
        level=LEVELS[finding.severity],
        message=f"{about}{finding.message}{proof}{gain}" + "".join(f" {advice}" for advice in finding.advice[:1]),
        kernel=kernel,
        artifact=artifact,
        lines=finding.source_lines,
        rank=100.0 * (1 - 1 / finding.speedup.estimate) if finding.speedup and finding.speedup.estimate > 0 else None,
        properties=tuple(properties),
    )


def _gain(finding: Finding) -> float:
    return finding.speedup.estimate if finding.speedup else 0.0
