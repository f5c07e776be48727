"""What a GPU can do, by its data sheet: figures with unit, conditions and source."""

from __future__ import annotations

from ncuanalyze.errors import InvalidInput
from ncuanalyze.record import record


@record
class Figure:
    """One published number."""

    value: float
    unit: str
    source: str
    conditions: str = ""


@record
class ComputePeak:
    """A compute rate: dense, at the clock given. ``path`` is ``tensor`` or ``fma``.

    ``headline_flop_per_s`` is the vendor's own figure; integer formats count operations.
    """

    precision: str
    path: str
    accumulator: str
    flop_per_cycle_per_sm: float
    clock_hz: float
    flop_per_s: float
    headline_flop_per_s: float | None
    conditions: str
    source: str

    @property
    def label(self) -> str:
        """``BF16 tensor``, with the accumulator where the rate depends on it."""
        path = "FMA" if self.path == "fma" else self.path
        narrow = self.path == "tensor" and self.accumulator == "fp16"
        accumulates = " (FP16 accumulate)" if narrow else ""
        return f"{self.precision.upper()} {path}{accumulates}"


@record
class MeasuredCeiling:
    """What a saturating kernel reached on the real GPU."""

    name: str
    value: float
    unit: str
    share_pct: float
    of: str
    source: str


@record
class GpuSpec:
    """One product. ``figures`` hold the single numbers, ``peaks`` the compute rates."""

    key: str
    name: str
    aliases: tuple[str, ...]
    device_names: tuple[str, ...]
    architecture: str
    chip: str
    compute_capability: tuple[int, int]
    figures: dict[str, Figure]
    peaks: tuple[ComputePeak, ...]
    measured: tuple[MeasuredCeiling, ...] = ()

    @property
    def sm_count(self) -> int:
        """Enabled streaming multiprocessors."""
        return int(self.figures["sm_count"].value)

    @property
    def boost_clock_hz(self) -> float:
        """Highest SM clock."""
        return self.figures["boost_clock_hz"].value

    @property
    def memory_bytes_per_s(self) -> float:
        """Device memory bandwidth at the pins."""
        return self.figures["memory_bytes_per_s"].value

    @property
    def l2_bytes_per_s(self) -> float | None:
        """L2 read bandwidth; None where nobody publishes it."""
        figure = self.figures.get("l2_bytes_per_s")
        return figure.value if figure else None

    def peak(self, precision: str, *, path: str | None = None, accumulator: str | None = None) -> ComputePeak:
        """The rate of a precision: of Tensor Cores where it has them, with the widest accumulator.

        Raises ``InvalidInput`` where the GPU has no such rate.
        """
        found = [
            peak
            for peak in self.peaks
            if peak.precision == precision and path in (None, peak.path) and accumulator in (None, peak.accumulator)
        ]
        if not found:
            wanted = " ".join(part for part in (precision, path, accumulator) if part)
            known = ", ".join(dict.fromkeys(f"{peak.precision} {peak.path}" for peak in self.peaks))
            raise InvalidInput(f"{self.name} has no {wanted} rate", hint=f"it has {known}")
        return min(found, key=lambda peak: (peak.path != "tensor", peak.accumulator == "fp16"))

    def ridge_flop_per_byte(self, peak: ComputePeak) -> float:
        """Intensity at which the compute rate and the memory bandwidth give the same time."""
        return peak.flop_per_s / self.memory_bytes_per_s
