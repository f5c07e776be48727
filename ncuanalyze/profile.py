"""What was measured: one ``Profile`` a report, whatever its file format."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

from ncuanalyze.record import record
from ncuanalyze.units import LARGEST, SMALLEST

if TYPE_CHECKING:
    import pandas

Value = float | str
Dim3 = tuple[int, int, int]


class Workload(StrEnum):
    """What one result of a report stands for (``workload_type`` of ncu)."""

    KERNEL = "kernel"
    RANGE = "range"
    GRAPH = "graph"
    CMDLIST = "cmdlist"
    SUBGRID = "subgrid"


class Absence(StrEnum):
    """Why a metric has no number."""

    NOT_COLLECTED = "not collected"
    NOT_A_NUMBER = "collected, but NaN or infinite"
    NO_VALUE = "collected, but without a value"


class Metrics(Protocol):
    """The metrics of one launch, by full metric name, in base units (ns, byte, byte/s, hz, cycle, %)."""

    def names(self) -> Collection[str]:
        """Every name that the report lists for this launch, with a value or without."""

    def raw(self, name: str) -> Value | None:
        """The value as the report has it: a number (possibly NaN), a text, or None."""

    def unit(self, name: str) -> str:
        """The base unit, or an empty text."""

    def instances(self, name: str) -> Sequence[tuple[int | float | str | None, float | str | None]]:
        """(correlation id, value) pairs of an instanced metric; empty where there are none."""


@record
class Device:
    """The GPU as the report names it. None where the report does not say."""

    name: str | None = None
    compute_capability: tuple[int, int] | None = None
    sm_count: int | None = None
    chip: str | None = None
    attributes: Mapping[str, Value] = field(default_factory=dict)


@record
class StoredResult:
    """One result of a rule that ncu ran and stored in the report. ``text`` keeps ncu's ``@..@`` markup."""

    rule: str
    section: str = ""
    title: str = ""
    text: str = ""
    kind: str = ""  # none | ok | optimization | warning | error
    speedup_pct: float | None = None
    speedup_scope: str = ""  # local | global | ""


class SourceView(Protocol):
    """Source correlation of one launch, read only when asked for."""

    def files(self) -> Mapping[str, str]:
        """File name -> embedded text ("" where the report only names the file)."""

    def line(self, address: int) -> tuple[str, int] | None:
        """(file name, line) of a SASS address."""

    def sass(self, address: int) -> str:
        """The SASS instruction at an address, or an empty text."""


@record
class KernelLaunch:
    """One result: a kernel launch, a range or a graph."""

    id: str
    name: str
    demangled: str
    metrics: Metrics
    device: Device
    grid: Dim3 | None = None
    block: Dim3 | None = None
    nvtx: tuple[str, ...] = ()
    workload: Workload = Workload.KERNEL
    failed: bool = False
    sections: Sequence[str] = ()
    stored_results: Sequence[StoredResult] = ()
    source: SourceView | None = None
    context: str = ""
    stream: str = ""
    invocations: int = 1  # launches that the values are averages of (``ncu --print-summary``)

    def number(self, name: str) -> float | None:
        """The number of a metric in its base unit; None where it is missing, text, NaN, infinite or beyond measure."""
        value = self.metrics.raw(name)
        return value if isinstance(value, float) and _is_measurable(value) else None

    def text(self, name: str) -> str | None:
        """The text of a metric, or None."""
        value = self.metrics.raw(name)
        return value if isinstance(value, str) else None

    def absence(self, name: str) -> Absence | None:
        """Why ``number`` gives None; None where it gives a number."""
        value = self.metrics.raw(name)
        if isinstance(value, float):
            return None if _is_measurable(value) else Absence.NOT_A_NUMBER
        return Absence.NO_VALUE if name in self.metrics.names() else Absence.NOT_COLLECTED

    @property
    def duration_ns(self) -> float | None:
        """``gpu__time_duration``; None for a failed launch."""
        for name in ("gpu__time_duration.sum", "gpu__time_duration", "gpu__time_duration.avg"):
            if (value := self.number(name)) is not None:
                return value
        return None


def _is_measurable(value: float) -> bool:
    return SMALLEST <= abs(value) <= LARGEST or value == 0


@record
class Settings:
    """How ncu was run, where the report says. Empty text: unknown."""

    ncu_version: str = ""
    clock_control: str = ""
    cache_control: str = ""
    replay_mode: str = ""
    driver_version: str = ""
    command: str = ""
    created: str = ""  # when the run began: ISO 8601, UTC


@record
class Profile:
    """Everything one file says. ``format`` is ``ncu-rep``, ``csv-raw``, ``csv-details`` or ``console``."""

    path: str
    format: str
    launches: tuple[KernelLaunch, ...]
    settings: Settings = Settings()
    warnings: tuple[str, ...] = ()

    def to_frame(self, names: Sequence[str] | None = None) -> pandas.DataFrame:
        """One row a launch; columns id, name, grid, block, nvtx, then one a metric in base units.

        ``names`` picks metrics (default: all). Missing numbers are NaN. The units are in ``frame.attrs["units"]``.
        """
        from ncuanalyze.frame import frame_of

        return frame_of(self, names)


@dataclass(frozen=True)
class MetricTable:
    """Metrics held in memory: what the CSV readers and the tests use."""

    values: Mapping[str, Value | None]
    units: Mapping[str, str] = field(default_factory=dict)
    instance_values: Mapping[str, Sequence[tuple[int | float | str | None, float | str | None]]] = field(
        default_factory=dict
    )

    def names(self) -> Sequence[str]:
        """Every name of the table."""
        return tuple(self.values)

    def raw(self, name: str) -> Value | None:
        """The value of the table; integers become floats when the table is made."""
        return self.values.get(name)

    def unit(self, name: str) -> str:
        """The base unit of the table."""
        return self.units.get(name, "")

    def instances(self, name: str) -> Sequence[tuple[int | float | str | None, float | str | None]]:
        """The instances of the table."""
        return self.instance_values.get(name, ())
