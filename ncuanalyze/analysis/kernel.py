"""Everything analysed about one launch, made once and shared by the bound, the rules and the diagnosis."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

from ncuanalyze import metrics as m
from ncuanalyze.analysis.flop import flop_counts
from ncuanalyze.analysis.gain import Effect, covered
from ncuanalyze.analysis.language import language_of
from ncuanalyze.analysis.memory import memory_of
from ncuanalyze.analysis.occupancy import occupancy_of
from ncuanalyze.analysis.reading import first_name, first_number
from ncuanalyze.analysis.source_counters import AddressCounters
from ncuanalyze.analysis.speed_of_light import Load, UnitLoads, unit_loads
from ncuanalyze.analysis.stalls import stalls_of
from ncuanalyze.analysis.tensor_flop import tensor_flop_counts
from ncuanalyze.analysis.tensor_utilization import TensorUtilization, tensor_utilization
from ncuanalyze.analysis.thread_flop import thread_flop_counts
from ncuanalyze.analysis.traffic import dram_bytes, l1_sectors, l1_wavefronts, shared_wavefront_share
from ncuanalyze.analysis.unit_table import UnitCounter
from ncuanalyze.diagnosis import FlopCount, Memory, Occupancy, Stalls
from ncuanalyze.profile import KernelLaunch

SM_UNITS = ("sm__", "smsp__", "l1tex__", "idc__")
"""How the counters of units begin that every SM has for itself."""
UNEVEN = 1.15
"""Active cycles of the busiest SM over the average's: balanced kernels on an H200 read 1.00 to 1.14."""
TENSOR_PATH = UnitCounter(
    name="sm__ops_path_tensor",
    unit="tensor",
    side="sm",
    sustained_pct=91.0,
    measured=True,
    source="H200, cuBLAS 4096^3: BF16 90 %, TF32 88 %, FP64 91 %, FP8 81 %",
)
"""Operations of the tensor paths used, each against the peak of its own path."""


class KernelAnalysis:
    """One launch with its derived numbers. Percentages are 0-100, shares 0-1; None is missing."""

    def __init__(self, launch: KernelLaunch) -> None:
        self.launch = launch
        self._numbers: dict[m.MetricRef, float | None] = {}

    def number(self, ref: m.MetricRef) -> float | None:
        """A metric in its base unit, under any of its names."""
        if ref not in self._numbers:
            self._numbers[ref] = first_number(self.launch, ref)
        return self._numbers[ref]

    def name_of(self, ref: m.MetricRef) -> str:
        """The name under which this report has the metric."""
        return first_name(self.launch, ref)

    @property
    def duration_ns(self) -> float | None:
        """The kernel's time on the GPU."""
        return self.launch.duration_ns

    @cached_property
    def dram_bytes(self) -> float | None:
        """Bytes to and from DRAM."""
        return dram_bytes(self.launch)

    @cached_property
    def l1_sectors(self) -> float | None:
        """Sectors looked up in L1."""
        return l1_sectors(self.launch)

    @cached_property
    def l1_wavefronts(self) -> float | None:
        """Wavefronts of the L1 data stage."""
        return l1_wavefronts(self.launch)

    @cached_property
    def shared_share(self) -> float:
        """Share (0-1) of the L1 data stage's wavefronts that are shared memory's; 0 where it was not counted."""
        return shared_wavefront_share(self.launch) or 0.0

    @cached_property
    def units(self) -> UnitLoads:
        """How busy each unit is."""
        return unit_loads(self.launch)

    @property
    def loads(self) -> tuple[Load, ...]:
        """Every resource load, busiest first; the tensor path in operations where its pipe counter reads less."""
        return self._loads

    @cached_property
    def _loads(self) -> tuple[Load, ...]:
        tensor = self.tensor
        if tensor is None or tensor.is_issue_rate or tensor.total_pct <= 100 * self.unit_busy("tensor"):
            return self.units.loads
        path = Load(counter=TENSOR_PATH, busy=tensor.total_pct / 100, unit="tensor")
        return tuple(sorted((*self.units.loads, path), key=lambda load: -load.busy))

    def loads_for(self, effect: Effect) -> tuple[Load, ...]:
        """The loads that a fix is held against: the busiest SM's, where it hides latency but leaves the SMs uneven."""
        return self._loads_of_busiest_sm if effect.latency and not effect.spreads else self.loads

    @cached_property
    def _loads_of_busiest_sm(self) -> tuple[Load, ...]:
        """The loads with those of the SMs' own units as the busiest SM has them: it is what the kernel ends with."""
        longest, average = self.number(m.SM_CYCLES_ACTIVE_MAX), self.number(m.SM_CYCLES_ACTIVE_AVG)
        factor = longest / average if longest and average else 1.0
        if factor < UNEVEN:
            return self.loads
        loads = (
            replace(load, busy=min(1.0, load.busy * factor)) if load.counter.name.startswith(SM_UNITS) else load
            for load in self.loads
        )
        return tuple(sorted(loads, key=lambda load: -load.busy))

    def unit_busy(self, unit: str) -> float:
        """The busy share (0-1) of a unit's busiest Speed Of Light counter; 0 where the report has none."""
        load = self.units.of_unit(unit)
        return load.busy if load is not None else 0.0

    @cached_property
    def covered(self) -> float:
        """The share of the time that the busiest unit's own work explains."""
        return covered(self.loads)

    def busy(self, counter: str) -> float:
        """The busy share (0-1) of one Speed Of Light counter; 0 where the report has none."""
        load = self.units.by_name().get(counter)
        return load.busy if load is not None else 0.0

    @cached_property
    def stalls(self) -> Stalls | None:
        """Where warps wait."""
        return stalls_of(self.launch)

    def stall_share(self, *reasons: str) -> float:
        """Share (0-1) of the waiting time, without issuing, that these reasons take; 0 without stall data."""
        if self.stalls is None:
            return 0.0
        waiting = sum(s.share_pct for s in self.stalls.reasons if s.reason != "not_selected")
        mine = sum(s.share_pct for s in self.stalls.reasons if s.reason in reasons)
        return mine / waiting if waiting > 0 else 0.0

    @cached_property
    def occupancy(self) -> Occupancy | None:
        """Resident warps and what limits them."""
        return occupancy_of(self.launch)

    @cached_property
    def memory(self) -> Memory | None:
        """The memory path."""
        return memory_of(self.launch)

    @cached_property
    def tensor(self) -> TensorUtilization | None:
        """The busiest tensor path and how near it is to its own peak and to the chip's best."""
        return tensor_utilization(self.launch, self.tensor_counts)

    @cached_property
    def tensor_counts(self) -> tuple[FlopCount, ...]:
        """Operations that the tensor paths' own counters counted."""
        return tensor_flop_counts(self.launch)

    @cached_property
    def flop_counts(self) -> tuple[FlopCount, ...]:
        """Operations of every precision and path, busiest first."""
        return flop_counts(self.launch, self.tensor_counts)

    @property
    def tensor_flop(self) -> float:
        """Counted operations of all tensor paths; 0 where none were counted."""
        return sum(count.flop for count in self.tensor_counts if count.exact)

    @property
    def pipe_flop(self) -> float:
        """Counted floating-point operations of the FP16, FP32 and FP64 pipes; 0 where none were counted."""
        return sum(count.flop for count in thread_flop_counts(self.launch) if count.exact)

    @cached_property
    def addresses(self) -> AddressCounters:
        """Counters by SASS address."""
        return AddressCounters(self.launch)

    @cached_property
    def language(self) -> str:
        """``triton``, ``library``, ``cuda`` or an empty text: which words the advice uses."""
        return language_of(self.launch)
