"""Traffic over the link to the host's memory (or to a peer GPU), which no Speed Of Light counter covers."""

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
class HostLink:
    """Bytes over the link, their rate, the link's ceiling (a table by GPU), and the share of L2 misses they are."""

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
            label="host memory traffic against the link's ceiling",
            metric=f"{m.L2_SYSMEM_MISSES.name} * 32 B / time / link",
            value=self.share_pct,
            unit="%",
            relation=">=" if self.share_pct >= limit_pct else "<",
            limit=limit_pct,
        )


def host_link(kernel: KernelAnalysis) -> HostLink | None:
    """The link's use; None where the sysmem counters are missing or read nothing."""
    sectors, duration = kernel.number(m.L2_SYSMEM_MISSES), kernel.duration_ns
    if not sectors or not duration:
        return None
    device = kernel.number(m.L2_DEVICE_MISSES) or 0.0
    busiest = kernel.units.busiest()
    return HostLink(
        bytes=sectors * SECTOR_BYTES,
        bytes_per_s=sectors * SECTOR_BYTES / duration * 1e9,
        ceiling_bytes_per_s=link_ceiling(kernel),
        share_of_misses=sectors / (sectors + device),
        busiest_unit_pct=100 * busiest.busy if busiest is not None else 0.0,
    )


def link_ceiling(kernel: KernelAnalysis) -> float:
    """Practical bytes a second of the host link: by the GPU's name where it has its own, else by generation."""
    name = kernel.launch.device.name or ""
    for entry in table("analysis", "host")["by_name"]:
        if entry["name"] in name:
            return float(entry["bytes_per_s"])
    capability = kernel.launch.device.compute_capability or (9, 0)
    for entry in table("analysis", "host")["by_compute_capability"]:
        if capability >= (int(entry["major"]), int(entry["minor"])):
            return float(entry["bytes_per_s"])
    return float(table("analysis", "host")["by_compute_capability"][-1]["bytes_per_s"])
