"""The diagnosis of a report: what is judged, compared, drawn and saved."""

from __future__ import annotations

from enum import StrEnum

from ncuanalyze.diagnosis.evidence import Evidence
from ncuanalyze.diagnosis.finding import Finding, Missing, NvidiaResult
from ncuanalyze.diagnosis.measured import (
    Memory,
    Occupancy,
    Roofline,
    SourceHotspots,
    SpeedOfLight,
    Stalls,
    Utilization,
)
from ncuanalyze.diagnosis.notebook import Displayed
from ncuanalyze.record import record

SCHEMA = "ncuanalyze.diagnosis/1"


class Bound(StrEnum):
    """The classification users know from ncu's Speed Of Light section."""

    COMPUTE = "compute"
    MEMORY = "memory"
    LATENCY = "latency"
    BALANCED = "balanced"
    INCONCLUSIVE = "inconclusive"


@record
class Kernel:
    """Which launch this is. ``name`` is ncu's function name, ``demangled`` the full one."""

    id: str
    name: str
    demangled: str
    grid: tuple[int, int, int] | None = None
    block: tuple[int, int, int] | None = None
    nvtx: tuple[str, ...] = ()
    workload: str = "kernel"
    context: str = ""
    stream: str = ""
    language: str = ""  # triton | cuda | library | ""


@record
class NvidiaVerdict:
    """ncu's stored ``SOLBottleneck`` verdict, the bound it stands for, and why ours differs (if it does)."""

    title: str
    bound: Bound | None
    difference: str = ""


INVOCATIONS, MOST_INVOCATIONS = "invocations", 2**53
"""The fact of a launch that tells of how many launches it is the average, and what it stays below."""


@record
class MetricValue:
    """One metric of the report, in its base unit; ``value`` None is missing, with the reason."""

    name: str
    value: float | str | None
    unit: str = ""
    missing: str = ""


@record
class KernelDiagnosis(Displayed):
    """Everything said about one launch. ``headroom_pct``: the share of its time that the best finding saves."""

    kernel: Kernel
    duration_ns: float | None
    time_share_pct: float | None
    cycles: float | None
    bound: Bound
    bound_evidence: tuple[Evidence, ...]
    bound_note: str
    nvidia_verdict: NvidiaVerdict | None
    limiter: str | None
    at_roofline: bool
    summary: str
    headroom_pct: float | None = None
    sm_clock_hz: float | None = None
    dram_clock_hz: float | None = None
    speed_of_light: SpeedOfLight | None = None
    roofline: Roofline | None = None
    occupancy: Occupancy | None = None
    stalls: Stalls | None = None
    memory: Memory | None = None
    source_hotspots: SourceHotspots | None = None
    utilization: Utilization | None = None
    launch: dict[str, float | str | None] | None = None
    findings: tuple[Finding, ...] = ()
    missing: tuple[Missing, ...] = ()
    nvidia_results: tuple[NvidiaResult, ...] = ()
    warnings: tuple[str, ...] = ()
    metrics: tuple[MetricValue, ...] = ()

    @property
    def invocations(self) -> int:
        """How many launches the values are averages of (``ncu --print-summary``); 1 for a launch of its own."""
        told = (self.launch or {}).get(INVOCATIONS)
        return int(told) if isinstance(told, int | float) and 1 <= told < MOST_INVOCATIONS else 1

    @property
    def saved_pct(self) -> float:
        """Time x headroom: the share of the report's time that the best finding of this kernel saves, percent."""
        return (self.time_share_pct or 0.0) * (self.headroom_pct or 0.0) / 100


@record
class KernelGroup:
    """The same kernel launched several times with one shape: its spread in time."""

    name: str
    kernels: tuple[str, ...]
    total_ns: float
    share_pct: float | None
    minimum_ns: float
    median_ns: float
    maximum_ns: float


@record
class Source:
    """The file that was read (its name only) and the settings of the run, where known."""

    file: str
    format: str
    ncu_version: str = ""
    clock_control: str = ""
    cache_control: str = ""
    replay_mode: str = ""
    driver_version: str = ""
    command: str = ""
    sections: tuple[str, ...] = ()


@record
class Device:
    """The GPU, as the report names it."""

    name: str | None = None
    compute_capability: str | None = None
    sm_count: int | None = None
    chip: str | None = None


@record
class Diagnosis(Displayed):
    """One report, judged. ``kernels`` are in the report's order; renderers order them by time."""

    source: Source
    device: Device
    kernels: tuple[KernelDiagnosis, ...]
    schema: str = SCHEMA
    tool: str = ""
    total_ns: float | None = None
    story: str = ""
    findings: tuple[Finding, ...] = ()
    groups: tuple[KernelGroup, ...] = ()
    warnings: tuple[str, ...] = ()
