"""Which peak a kernel is closest to, and how much of it is reached."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ncuanalyze.diagnosis import KernelDiagnosis, Roofline, SpeedOfLight, UnitLoad
from ncuanalyze.render.peak import of_peak

from .documents import ROOFLINE, bare_kernel

SHARED = SpeedOfLight(
    sm_pct=5.0,
    memory_pct=99.8,
    units=(UnitLoad(unit="shared", metric="m", pct=99.8), UnitLoad(unit="dram", metric="m", pct=12.0)),
)
FAR = replace(ROOFLINE, nearest_roof="FP32 FMA", nearest_roof_pct=0.4)
UNKNOWN = replace(ROOFLINE, nearest_roof="", nearest_roof_pct=None)


@pytest.mark.parametrize(
    ("roofline", "load", "limiter", "nearest"),
    [
        (FAR, SHARED, "shared", (99.8, "shared")),
        (ROOFLINE, SHARED, "dram", (91.3, "DRAM")),
        (FAR, None, "shared", (0.4, "FP32 FMA")),
        (None, SHARED, "dram", (12.0, "DRAM")),
        (UNKNOWN, SHARED, None, (None, "")),
        (None, None, None, (None, "")),
    ],
)
def test_of_peak(
    roofline: Roofline | None,
    load: SpeedOfLight | None,
    limiter: str | None,
    nearest: tuple[float | None, str],
) -> None:
    shown: KernelDiagnosis = bare_kernel(roofline=roofline, speed_of_light=load, limiter=limiter)
    assert of_peak(shown) == nearest
