"""The comparison of two sides: what is judged here, drawn by renderers and saved as JSON."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from ncuanalyze.diagnosis import Device, KernelDiagnosis, Source, SourceLine, Speedup

SCHEMA = "ncuanalyze.comparison/1"
OUTCOMES = ("kept", "less", "more", "not taken")


class Verdict(StrEnum):
    """What became of the time."""

    FASTER = "faster"
    SLOWER = "slower"
    SAME = "same"
    INCONCLUSIVE = "inconclusive"


class Weight(StrEnum):
    """How much a difference of the two runs takes from the comparison."""

    NOTE = "note"
    WARNING = "warning"
    MEANINGLESS = "meaningless"


@dataclass(frozen=True, kw_only=True)
class Difference:
    """Something that was not the same in both runs, and what it does to the times. Empty text: not known."""

    what: str
    base: str
    new: str
    effect: str
    weight: Weight


@dataclass(frozen=True, kw_only=True)
class Spread:
    """The distribution of a kernel's duration. ``low_ns``..``high_ns`` is the interval that the verdict uses.

    ``samples`` are launches, or the medians of runs where several runs hold the kernel; ``interval`` names
    how the interval was made.
    """

    samples: int
    runs: int
    minimum_ns: float
    median_ns: float
    maximum_ns: float
    low_ns: float
    high_ns: float
    interval: str


@dataclass(frozen=True, kw_only=True)
class KernelSide:
    """One kernel on one side: ``diagnosis`` is the launch nearest to the median, ``total_ns`` the sum of a run."""

    diagnosis: KernelDiagnosis
    launches: int
    launches_per_run: float
    total_ns: float | None
    spread: Spread | None
    cycles: float | None = None
    sm_clock_hz: float | None = None
    dram_clock_hz: float | None = None


@dataclass(frozen=True, kw_only=True)
class WorkRate:
    """Time as work over rate, for one resource: ``time ratio = work_ratio / rate_ratio`` (new over base).

    ``kind`` is ``count`` (bytes, FLOP, instructions; the rate is per second) or ``busy`` (the time a unit
    needs at its peak; the rate is its utilisation in %). ``work_share_pct`` is ln(work ratio) over ln(time
    ratio): the part of the change that work explains, the rest is rate; outside 0-100 the two pull against
    each other.
    """

    name: str
    resource: str
    kind: str
    work_unit: str
    rate_unit: str
    base_work: float
    new_work: float
    base_rate: float
    new_rate: float
    work_ratio: float
    rate_ratio: float
    work_share_pct: float | None


@dataclass(frozen=True, kw_only=True)
class Moved:
    """A measured quantity that changed and helps to explain the rate."""

    name: str
    base: float
    new: float
    unit: str = ""


class Fate(StrEnum):
    """What became of a finding."""

    GONE = "gone"
    NEW = "new"
    GROWN = "grown"
    SHRUNK = "shrunk"
    KEPT = "kept"


@dataclass(frozen=True, kw_only=True)
class FindingChange:
    """One finding on both sides; ``base`` and ``new`` are its promised gains, None where absent."""

    id: str
    title: str
    fate: Fate
    base: Speedup | None
    new: Speedup | None
    source_lines: tuple[SourceLine, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Promise:
    """What a finding of the base promised, against what was measured. ``kept``: within the promised range."""

    id: str
    title: str
    promised: Speedup
    measured: float
    outcome: str  # kept | less | more | not taken
    others: tuple[str, ...] = ()

    def check(self) -> None:
        """ValueError for an outcome that there is not, which only a damaged document can hold."""
        if self.outcome not in OUTCOMES:
            raise ValueError(f"{self.outcome!r} is no outcome of a promise")


@dataclass(frozen=True, kw_only=True)
class Why:
    """What explains a change of time. ``main`` is the resource whose work and rate the sentence is about."""

    sentence: str
    main: str
    work_rates: tuple[WorkRate, ...] = ()
    moved: tuple[Moved, ...] = ()
    findings: tuple[FindingChange, ...] = ()
    promise: Promise | None = None
    bound_moved: bool = False
    limiter_moved: bool = False


@dataclass(frozen=True, kw_only=True)
class KernelComparison:
    """One kernel, before and after.

    ``change_pct`` is new over base minus one (negative is faster), ``speedup`` base over new, both of the
    medians. ``threshold_pct`` is the change that counts here, ``contribution_pct`` the part in the change
    of the total.
    """

    name: str
    match: str
    notes: tuple[str, ...]
    base: KernelSide
    new: KernelSide
    verdict: Verdict
    reason: str
    threshold_pct: float
    change_pct: float | None
    speedup: float | None
    cycles_change_pct: float | None
    verdict_by_time: Verdict
    verdict_by_cycles: Verdict | None
    base_share_pct: float | None = None
    new_share_pct: float | None = None
    contribution_pct: float | None = None
    differences: tuple[Difference, ...] = ()
    why: Why | None = None


@dataclass(frozen=True, kw_only=True)
class Total:
    """Time over all matched kernels, and over everything that each side holds."""

    matched: int
    base_ns: float
    new_ns: float
    change_pct: float | None
    speedup: float | None
    all_base_ns: float
    all_new_ns: float
    note: str = ""


@dataclass(frozen=True, kw_only=True)
class ReportSide:
    """The files of one side."""

    label: str
    sources: tuple[Source, ...]
    devices: tuple[Device, ...]
    launches: int


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """Two sides, compared. ``kernels`` are ordered by their part in the change, largest first."""

    base: ReportSide
    new: ReportSide
    verdict: Verdict
    reason: str
    threshold_pct: float
    forced: bool
    total: Total
    kernels: tuple[KernelComparison, ...]
    vanished: tuple[KernelSide, ...] = ()
    appeared: tuple[KernelSide, ...] = ()
    differences: tuple[Difference, ...] = ()
    warnings: tuple[str, ...] = ()
    schema: str = SCHEMA
    tool: str = ""

    def of(self, verdict: Verdict) -> tuple[KernelComparison, ...]:
        """The kernels with that verdict."""
        return tuple(kernel for kernel in self.kernels if kernel.verdict is verdict)
