"""The rows of a report by time: launches of one kernel that tell the same are one row."""

from __future__ import annotations

from collections.abc import Sequence

from ncuanalyze.diagnosis import KernelDiagnosis, alike, label_of, labels_of
from ncuanalyze.record import record


@record
class KernelRow:
    """Launches of one kernel that tell the same, in the report's order, and their name."""

    launches: tuple[KernelDiagnosis, ...]
    label: str

    @property
    def slowest(self) -> KernelDiagnosis:
        """The launch that is shown for all; of several, the first."""
        return max(self.launches, key=lambda item: item.duration_ns or 0.0)

    @property
    def nvtx(self) -> tuple[str, ...]:
        """The ranges that all of the launches are in."""
        first, *others = (item.kernel.nvtx for item in self.launches)
        return tuple(name for name in first if all(name in other for other in others))

    @property
    def fastest_ns(self) -> float:
        """The time of the fastest launch."""
        return min(item.duration_ns or 0.0 for item in self.launches)

    @property
    def duration_ns(self) -> float | None:
        """The time of one launch, or of all together."""
        times = [item.duration_ns for item in self.launches if item.duration_ns is not None]
        return sum(times) if times else None

    @property
    def share_pct(self) -> float | None:
        """Their share of the report's time."""
        shares = [item.time_share_pct for item in self.launches if item.time_share_pct is not None]
        return sum(shares) if shares else None


def kernel_rows(kernels: Sequence[KernelDiagnosis], *, apart: bool = False) -> list[KernelRow]:
    """The rows by their share of the time; ``apart`` gives every launch its own."""
    labels = labels_of(kernels)
    groups = [(item,) for item in kernels] if apart else alike(kernels)
    rows = [KernelRow(launches=items, label=label_of(items, labels)) for items in groups]
    return sorted(rows, key=lambda row: (-(row.share_pct or 0.0), -(row.duration_ns or 0.0)))
