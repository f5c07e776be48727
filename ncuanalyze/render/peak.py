"""How much of a peak a kernel reaches."""

from __future__ import annotations

from ncuanalyze.diagnosis import KernelDiagnosis
from ncuanalyze.render.names import unit_name


def of_peak(kernel: KernelDiagnosis) -> tuple[float | None, str]:
    """(percent reached, name) of the peak that it is closest to: the limiting unit's, or the nearest roof.

    A kernel bound by a unit that the roofline does not draw (shared memory, issue) is far from every drawn roof and
    yet at its own peak. (None, "") where neither is known.
    """
    roofline = kernel.roofline
    units = kernel.speed_of_light.units if kernel.speed_of_light else ()
    peaks = []
    if roofline and roofline.nearest_roof_pct is not None:
        peaks.append((roofline.nearest_roof_pct, roofline.nearest_roof))
    peaks += [(unit.pct, unit_name(unit.unit)) for unit in units if unit.unit == kernel.limiter]
    return max(peaks, default=(None, ""), key=lambda peak: peak[0])
