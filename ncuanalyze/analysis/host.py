"""Traffic over the links to the host's memory and to other GPUs, which no Speed Of Light counter covers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ncuanalyze import metrics as m
from ncuanalyze.analysis.memory import SECTOR_BYTES
from ncuanalyze.data import table
from ncuanalyze.diagnosis import Evidence
from ncuanalyze.record import record

if TYPE_CHECKING:
    from ncuanalyze.analysis.kernel import KernelAnalysis


@record
class Link:
    """Bytes over a link, their rate, the link's ceiling (a table by GPU), and the share of L2 misses they are.

    ``unit``: ``host`` or ``nvlink``.
    """

    unit: str
    metric: str
    bytes: float
    bytes_per_s: float
    ceiling_bytes_per_s: float
    share_of_misses: float
    busiest_unit_pct: float

    @property
    def share_pct(self) -> float:
        """Rate against the ceiling, percent."""
        return 100 * self.bytes_per_s / self.ceiling_bytes_per_s

    @property
    def dominates(self) -> bool:
        """The link is busier than every unit of the GPU."""
        return self.share_pct > max(self.busiest_unit_pct, 20.0)

    def evidence(self, limit_pct: float) -> Evidence:
        """The rate against the ceiling."""
        return Evidence(
            label=f"{_WORDS[self.unit]} against the link's ceiling",
            metric=f"{self.metric} * 32 B / time / link",
            value=self.share_pct,
            unit="%",
            relation=">=" if self.share_pct >= limit_pct else "<",
            limit=limit_pct,
        )


_COUNTERS = {"host": m.L2_SYSMEM_MISSES, "nvlink": m.L2_PEER_MISSES}
_WORDS = {"host": "host memory traffic", "nvlink": "traffic to other GPUs"}


def busiest_link(kernel: KernelAnalysis) -> Link | None:
    """The link nearest to its ceiling; None where no counter of one reads anything."""
    links = [link for unit in _COUNTERS if (link := _link(kernel, unit)) is not None]
    return max(links, key=lambda link: link.share_pct, default=None)


def host_link(kernel: KernelAnalysis) -> Link | None:
    """The host link's use; None where the sysmem counters are missing or read nothing."""
    return _link(kernel, "host")


def _link(kernel: KernelAnalysis, unit: str) -> Link | None:
    sectors, duration = kernel.number(_COUNTERS[unit]), kernel.duration_ns
    if not sectors or not duration:
        return None
    device = kernel.number(m.L2_DEVICE_MISSES) or 0.0
    busiest = kernel.units.busiest()
    return Link(
        unit=unit,
        metric=kernel.name_of(_COUNTERS[unit]),
        bytes=sectors * SECTOR_BYTES,
        bytes_per_s=sectors * SECTOR_BYTES / duration * 1e9,
        ceiling_bytes_per_s=link_ceiling(kernel, unit),
        share_of_misses=sectors / (sectors + device),
        busiest_unit_pct=100 * busiest.busy if busiest is not None else 0.0,
    )


def link_ceiling(kernel: KernelAnalysis, unit: str = "host") -> float:
    """Practical bytes a second of a link: by the GPU's name where it has its own, else by generation."""
    name = kernel.launch.device.name or ""
    entries = table("analysis", "host")[unit]
    for entry in entries.get("by_name", ()):
        if entry["name"] in name:
            return float(entry["bytes_per_s"])
    capability = kernel.launch.device.compute_capability or (9, 0)
    for entry in entries["by_compute_capability"]:
        if capability >= (int(entry["major"]), int(entry["minor"])):
            return float(entry["bytes_per_s"])
    return float(entries["by_compute_capability"][-1]["bytes_per_s"])
