"""A profile to its diagnosis: analyse each launch, classify it, run the rules, tell the story."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from ncuanalyze import metrics as m
from ncuanalyze.analysis.kernel import KernelAnalysis
from ncuanalyze.analysis.roofline import roofline_of
from ncuanalyze.analysis.speed_of_light import COMPUTE_PIPES
from ncuanalyze.bound import classify, limiter, limiter_name
from ncuanalyze.diagnosis import (
    INVOCATIONS,
    Bound,
    Device,
    Diagnosis,
    Finding,
    Kernel,
    KernelDiagnosis,
    MetricValue,
    Source,
    SourceHotspots,
    SpeedOfLight,
    UnitLoad,
)
from ncuanalyze.engine import Judged, judge
from ncuanalyze.grouping import groups_of
from ncuanalyze.missing import missing_of
from ncuanalyze.nvidia import results_of, verdict_of
from ncuanalyze.profile import KernelLaunch, Profile
from ncuanalyze.record import record
from ncuanalyze.reliability import warnings_of
from ncuanalyze.report_findings import report_findings
from ncuanalyze.ruleset import RuleSet, load_rules
from ncuanalyze.story import averaged, story_of, summary_of
from ncuanalyze.version import __version__

if TYPE_CHECKING:
    from ncuanalyze.analysis.ceilings import Ceilings

AT_ROOF_SHARE = 0.85
"""The limiting unit is at what it sustains in practice from here on: the rest is ramp-up, tail and spread."""
_WASTE_OF_UNIT = {
    **dict.fromkeys(("dram", "l2", "l1tex", "lsu"), "uncoalesced_global_access"),
    "shared": "shared_bank_conflicts",
    **dict.fromkeys(("issue", "fma", "alu", "fp64", "fp16", "xu"), "thread_divergence"),
}
"""The rule that must have been asked before a unit's work counts as useful."""
QUIET_GAIN = 1.25
"""A kernel with a cause that promises more than this is not at its roof: the work it does is not all useful."""


@record
class Options:
    """What to include: source hot spots (``hotspots``), every metric (``all_metrics``), measured ceilings."""

    hotspots: bool = False
    lines: bool = True
    all_metrics: bool = False
    source_root: Path | None = None
    ceilings: Ceilings | None = None


def diagnose(profile: Profile, *, ruleset: RuleSet | None = None, options: Options | None = None) -> Diagnosis:
    """The diagnosis of a whole report; pure, and the same for the same profile."""
    rules = ruleset or load_rules()
    chosen = options or Options()
    total = sum(_time(launch) or 0.0 for launch in profile.launches) or None
    kernels = tuple(_kernel(launch, total, rules, chosen) for launch in profile.launches)
    findings = report_findings(profile, kernels, rules.limits("report"))
    groups = groups_of(kernels, total)
    return Diagnosis(
        source=_source(profile),
        device=_device(profile),
        kernels=kernels,
        tool=f"ncuanalyze {__version__}",
        total_ns=total,
        story=story_of(kernels, findings, total),
        findings=findings,
        groups=groups,
        warnings=(*profile.warnings, *_override_warnings(rules)),
    )


def _override_warnings(rules: RuleSet) -> list[str]:
    return [
        f"threshold {rule}.{name} is set to {threshold.value:g} {threshold.unit}".rstrip()
        for rule, entries in rules.thresholds.items()
        for name, threshold in entries.items()
        if threshold.overridden
    ]


def _kernel(launch: KernelLaunch, total: float | None, rules: RuleSet, options: Options) -> KernelDiagnosis:
    analysis = KernelAnalysis(launch)
    classification = classify(analysis)
    judged = judge(analysis, rules)
    near = _near_roof(analysis, classification.bound, judged.findings)
    open_question = near and _waste_unknown(analysis, classification.bound, judged)
    roof = near and not open_question
    findings = _with_lines(analysis, judged, options.source_root) if options.lines else judged.findings
    name = limiter_name(analysis, classification.bound)
    duration, time = launch.duration_ns if not launch.failed else None, _time(launch)
    return KernelDiagnosis(
        kernel=_identity(launch, analysis.language),
        duration_ns=duration,
        time_share_pct=100 * time / total if time is not None and total else None,
        cycles=analysis.number(m.CYCLES),
        sm_clock_hz=analysis.number(m.SM_CLOCK),
        dram_clock_hz=analysis.number(m.DRAM_CLOCK),
        bound=classification.bound,
        bound_evidence=classification.evidence,
        bound_note=classification.note,
        nvidia_verdict=verdict_of(
            launch.stored_results, classification, analysis.units.sm_pct, analysis.units.memory_pct
        ),
        limiter=name,
        at_roofline=roof,
        summary=averaged(launch.invocations, time)
        + summary_of(analysis, classification, name, roof, findings, open_question=open_question),
        headroom_pct=_headroom(findings) if analysis.units.measured else None,
        speed_of_light=_speed_of_light(analysis),
        roofline=roofline_of(
            launch, analysis.flop_counts, ceilings=options.ceilings or _shipped(launch.device.name)
        ),
        occupancy=analysis.occupancy,
        stalls=analysis.stalls,
        memory=analysis.memory,
        source_hotspots=_hotspots(analysis, options),
        launch=_launch_facts(analysis),
        findings=findings,
        missing=missing_of(analysis, judged.missing),
        nvidia_results=results_of(launch.stored_results, roof, findings),
        warnings=warnings_of(analysis),
        metrics=_metrics(launch) if options.all_metrics else (),
    )


def _time(launch: KernelLaunch) -> float | None:
    """The time of all launches that this result stands for; None for a failed launch."""
    duration = launch.duration_ns
    return None if launch.failed or duration is None else duration * launch.invocations


def _near_roof(analysis: KernelAnalysis, bound: Bound, findings: Sequence[Finding]) -> bool:
    load = limiter(analysis, bound)
    if load is None or not load.unit or bound in (Bound.LATENCY, Bound.INCONCLUSIVE):
        return False
    loud = any(f.speedup is not None and f.speedup.estimate > QUIET_GAIN for f in findings)
    return load.busy / load.sustained >= AT_ROOF_SHARE and not loud


def _waste_unknown(analysis: KernelAnalysis, bound: Bound, judged: Judged) -> bool:
    """Whether the counters are missing that would show that the limiting unit's work is not all useful."""
    load = limiter(analysis, bound)
    if load is None:
        return False
    pipes_unknown = load.unit == "issue" and not any(other.unit in COMPUTE_PIPES for other in analysis.loads)
    return pipes_unknown or _WASTE_OF_UNIT.get(load.unit, "") in judged.unanswered


@cache
def _shipped(device: str | None) -> Ceilings | None:
    from ncuanalyze.analysis.ceilings import shipped_ceilings

    return shipped_ceilings(device)


def _headroom(findings: Sequence[Finding]) -> float | None:
    """The share of the time that the first finding saves; the others may promise the same time."""
    best = next((finding.speedup for finding in findings if finding.speedup is not None), None)
    return 0.0 if best is None else 100 * (1 - 1 / best.estimate)


def _with_lines(analysis: KernelAnalysis, judged: Judged, root: Path | None) -> tuple[Finding, ...]:
    """The findings, the first ones with the source lines that cause them."""
    from ncuanalyze.analysis.source import lines_for

    launch, named = analysis.launch, []
    for finding in judged.findings:
        counter = judged.counters.get(finding.id, "")
        asked = counter and launch.source is not None
        lines = lines_for(launch, counter, root, counters=analysis.addresses) if asked else ()
        named.append(replace(finding, source_lines=lines) if lines else finding)
    return tuple(named)


def _hotspots(analysis: KernelAnalysis, options: Options) -> SourceHotspots | None:
    if not options.hotspots or analysis.launch.source is None:
        return None
    from ncuanalyze.analysis.source import hotspots_of

    return hotspots_of(analysis.launch, options.source_root, counters=analysis.addresses)


def _identity(launch: KernelLaunch, language: str) -> Kernel:
    return Kernel(
        id=launch.id,
        name=launch.name,
        demangled=launch.demangled,
        grid=launch.grid,
        block=launch.block,
        nvtx=tuple(launch.nvtx),
        workload=launch.workload.value,
        context=launch.context,
        stream=launch.stream,
        language=language,
    )


def _speed_of_light(analysis: KernelAnalysis) -> SpeedOfLight | None:
    units = analysis.units
    if units.sm_pct is None and units.memory_pct is None and not units.loads:
        return None
    first = {load.unit: load for load in reversed(analysis.loads) if load.unit}
    ordered = sorted(first.values(), key=lambda load: (-load.busy, load.unit))
    return SpeedOfLight(
        sm_pct=units.sm_pct,
        memory_pct=units.memory_pct,
        units=tuple(
            UnitLoad(
                unit=load.unit,
                metric=load.metric,
                pct=100 * load.busy,
                sustained_pct=load.counter.sustained_pct if load.counter.measured else None,
            )
            for load in ordered
        ),
    )


_FACTS = {
    "grid_size": m.GRID_SIZE,
    "block_size": m.BLOCK_SIZE,
    "waves_per_sm": m.WAVES,
    "registers_per_thread": m.REGISTERS,
    "shared_bytes_per_block": m.SHARED_BYTES,
    "cluster_size": m.CLUSTER_SIZE,
    "instructions": m.INSTRUCTIONS,
    "sm_count": m.SM_COUNT,
}


def _launch_facts(analysis: KernelAnalysis) -> dict[str, float | str | None] | None:
    facts: dict[str, float | str | None] = {
        name: value for name, ref in _FACTS.items() if (value := analysis.number(ref)) is not None
    }
    if analysis.launch.invocations > 1:
        facts[INVOCATIONS] = analysis.launch.invocations
    return facts or None


def _metrics(launch: KernelLaunch) -> tuple[MetricValue, ...]:
    from ncuanalyze.analysis.metric_values import metric_values

    return metric_values(launch)


def _source(profile: Profile) -> Source:
    sections = sorted({section for launch in profile.launches for section in launch.sections})
    settings = profile.settings
    return Source(
        file=Path(profile.path).name,
        format=profile.format,
        ncu_version=settings.ncu_version,
        clock_control=settings.clock_control,
        cache_control=settings.cache_control,
        replay_mode=settings.replay_mode,
        driver_version=settings.driver_version,
        command=settings.command,
        sections=tuple(sections),
    )


def _device(profile: Profile) -> Device:
    device = profile.launches[0].device if profile.launches else None
    if device is None:
        return Device()
    capability = device.compute_capability
    return Device(
        name=device.name,
        compute_capability=f"{capability[0]}.{capability[1]}" if capability else None,
        sm_count=device.sm_count,
        chip=device.chip,
    )
