"""One counter of a launch: its total, rate, peak and percent, from whichever submetrics the report holds."""

from __future__ import annotations

from dataclasses import dataclass

from ncuanalyze.profile import KernelLaunch
from ncuanalyze.record import record

NS_PER_S = 1e9
SMALLEST_PCT = 1.0  # exports keep two decimals: below, a peak worked out from a percentage is too coarse
CLOCK_RELATIVES = {
    "sm": ("sm", "smsp", "gpc"),
    "smsp": ("smsp", "sm", "gpc"),
    "l1tex": ("l1tex", "sm", "smsp", "gpc"),
}


@record
class Peak:
    """A unit's ceiling per second, how it was worked out and the counters it stands on."""

    per_s: float
    formula: str
    counters: tuple[str, ...]
    clock_hz: float | None = None


def duration_s(launch: KernelLaunch) -> float | None:
    """The launch's duration in seconds; None where it is missing or zero."""
    duration_ns = launch.duration_ns
    return duration_ns / NS_PER_S if duration_ns else None


def clock_hz(launch: KernelLaunch, unit: str) -> tuple[float, str] | None:
    """A unit's elapsed clock and the metric it comes from: ``<unit>__cycles_elapsed`` per second."""
    for relative in CLOCK_RELATIVES.get(unit, (unit,)):
        name = f"{relative}__cycles_elapsed.avg.per_second"
        if value := launch.number(name):
            return value, name
    cycles, seconds = launch.number(f"{unit}__cycles_elapsed.avg"), duration_s(launch)
    if cycles and seconds:
        return cycles / seconds, f"{unit}__cycles_elapsed.avg / gpu__time_duration"
    return None


def cycles_elapsed(launch: KernelLaunch, unit: str) -> float | None:
    """Elapsed cycles of a unit, averaged over its instances."""
    for relative in CLOCK_RELATIVES.get(unit, (unit,)):
        if value := launch.number(f"{relative}__cycles_elapsed.avg"):
            return value
    clock, seconds = clock_hz(launch, unit), duration_s(launch)
    return clock[0] * seconds if clock and seconds else None


@dataclass(frozen=True)
class Counter:
    """A counter by its base name (``dram__bytes``), summed over the chip."""

    launch: KernelLaunch
    name: str

    @property
    def unit(self) -> str:
        """The hardware unit: what stands before the two underscores."""
        return self.name.partition("__")[0]

    def total(self) -> float | None:
        """The sum over the launch, in the counter's own unit (operations, bytes, cycles)."""
        if (value := self.launch.number(f"{self.name}.sum")) is not None:
            return value
        per_cycle = self.launch.number(f"{self.name}.sum.per_cycle_elapsed")
        if per_cycle is not None and (cycles := cycles_elapsed(self.launch, self.unit)):
            return per_cycle * cycles
        per_s = self.launch.number(f"{self.name}.sum.per_second")
        if per_s is not None and (seconds := duration_s(self.launch)):
            return per_s * seconds
        return None

    def per_s(self) -> float | None:
        """The sum per second of elapsed time."""
        if (value := self.launch.number(f"{self.name}.sum.per_second")) is not None:
            return value
        per_cycle = self.launch.number(f"{self.name}.sum.per_cycle_elapsed")
        if per_cycle is not None and (clock := clock_hz(self.launch, self.unit)):
            return per_cycle * clock[0]
        total = self.launch.number(f"{self.name}.sum")
        if total is not None and (seconds := duration_s(self.launch)):
            return total / seconds
        return None

    def pct_of_peak(self) -> float | None:
        """The percentage of the peak over the elapsed time, as ncu computed it."""
        for rollup in ("sum", "avg"):
            value = self.launch.number(f"{self.name}.{rollup}.pct_of_peak_sustained_elapsed")
            if value is not None:
                return value
        return None

    def peak(self, *, scale: float = 1.0, unit_of_work: str = "") -> Peak | None:
        """The sustained peak times ``scale``: per cycle times the unit's clock, else from its percentage."""
        return (
            self._peak_per_cycle(scale, unit_of_work)
            or self._peak_per_second(scale)
            or self._peak_per_instance(scale, unit_of_work)
            or self._peak_from_percentage(scale)
        )

    def _peak_per_cycle(self, scale: float, unit_of_work: str) -> Peak | None:
        metric = f"{self.name}.sum.peak_sustained"
        per_cycle, clock = self.launch.number(metric), clock_hz(self.launch, self.unit)
        if not per_cycle or clock is None:
            return None
        hz, clock_metric = clock
        factor = "" if scale == 1 else f" × {scale:g}"
        amount = _amount(per_cycle * scale, unit_of_work)
        formula = f"{metric}{factor} ({amount}) × {clock_metric} ({hz / 1e9:.4g} GHz)"
        return Peak(per_s=per_cycle * scale * hz, formula=formula, counters=(metric, clock_metric), clock_hz=hz)

    def _peak_per_second(self, scale: float) -> Peak | None:
        metric = f"{self.name}.sum.peak_sustained_elapsed.per_second"
        value = self.launch.number(metric)
        if not value:
            return None
        factor = "" if scale == 1 else f" × {scale:g}"
        return Peak(per_s=value * scale, formula=f"{metric}{factor}", counters=(metric,))

    def _peak_per_instance(self, scale: float, unit_of_work: str) -> Peak | None:
        metric = f"{self.name}.avg.peak_sustained"
        per_cycle, clock, instances = (
            self.launch.number(metric),
            clock_hz(self.launch, self.unit),
            self._instances(),
        )
        if not per_cycle or clock is None or not instances:
            return None
        hz, clock_metric = clock
        amount = _amount(per_cycle * scale, unit_of_work)
        formula = f"{metric} ({amount}) × {instances:,.0f} units × {clock_metric} ({hz / 1e9:.4g} GHz)"
        per_s = per_cycle * scale * instances * hz
        return Peak(per_s=per_s, formula=formula, counters=(metric, clock_metric), clock_hz=hz)

    def _instances(self) -> float | None:
        for name in (self.name, f"{self.unit}__cycles_elapsed"):
            total, average = self.launch.number(f"{name}.sum"), self.launch.number(f"{name}.avg")
            if total and average:
                return float(round(total / average))
        return float(self.launch.device.sm_count or 0) if self.unit in {"sm", "l1tex"} else None

    def _peak_from_percentage(self, scale: float) -> Peak | None:
        per_s, pct = self.per_s(), self.pct_of_peak()
        if not per_s or not pct or pct < SMALLEST_PCT:
            return None
        formula = f"{self.name}.sum per second / its percentage of the peak ({pct:.4g} %)"
        return Peak(per_s=per_s * scale * 100 / pct, formula=formula, counters=(f"{self.name}.sum",))


def _amount(per_cycle: float, unit_of_work: str) -> str:
    number = f"{per_cycle:,.0f}" if per_cycle >= 100 else f"{per_cycle:g}"
    return f"{number} {unit_of_work}/cycle" if unit_of_work else f"{number}/cycle"


def work_unit(precision: str) -> str:
    """``OP`` for integer precisions, else ``FLOP``."""
    return "OP" if precision.startswith("INT") else "FLOP"
