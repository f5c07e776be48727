"""The ceiling a kernel is closest to."""

from __future__ import annotations

from ncuanalyze.diagnosis import KernelDiagnosis
from ncuanalyze.render.names import unit_name


def nearest_roof(kernel: KernelDiagnosis) -> tuple[float | None, str]:
    """(share reached, name) of the nearest ceiling: a roof of the roofline, or the peak of the limiting unit.

    A kernel bound by a unit that the roofline does not draw (shared memory, issue) is far from every drawn roof and
    yet at its own. (None, "") where neither is known.
    """
    roofline = kernel.roofline
    units = kernel.speed_of_light.units if kernel.speed_of_light else ()
    ceilings = []
    if roofline and roofline.nearest_roof_pct is not None:
        ceilings.append((roofline.nearest_roof_pct, roofline.nearest_roof))
    ceilings += [(unit.pct, unit_name(unit.unit)) for unit in units if unit.unit == kernel.limiter]
    return max(ceilings, default=(None, ""), key=lambda ceiling: ceiling[0])
