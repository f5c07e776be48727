"""Launches and profiles made from a table of metrics."""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path

from ncuanalyze.profile import Device, KernelLaunch, MetricTable, Profile, Settings, Value

FIXTURES = Path(__file__).parent.parent / "fixtures"
BESIDE = Path(__file__).parent.parent.parent / "shared"
"""Larger data that may lie beside a checkout; tests that use it are skipped where it does not."""
STALL = "smsp__average_warps_issue_stalled_{}_per_issue_active.ratio"
_PREFIX, _SUFFIX = STALL.split("{}")
PCT = ".avg.pct_of_peak_sustained_elapsed"


def make_launch(
    metrics: Mapping[str, Value | int | None] | None = None,
    *,
    stalls: Mapping[str, float] | None = None,
    cc: Sequence[int] | None = (9, 0),
    device: str | None = None,
    name: str = "kernel",
    **fields: object,
) -> KernelLaunch:
    """A launch with these metrics (in base units) and stall ratios; ``fields`` are those of ``KernelLaunch``."""
    table: dict[str, Value | None] = {
        key: float(value) if isinstance(value, int) else value for key, value in (metrics or {}).items()
    }
    table |= {STALL.format(reason): float(value) for reason, value in (stalls or {}).items()}
    capability = None if cc is None else (cc[0], cc[1])
    known = {"id": "0", "demangled": name, **fields}
    return KernelLaunch(
        name=name,
        metrics=MetricTable(table),
        device=Device(name=device, compute_capability=capability),
        **known,  # type: ignore[arg-type]
    )


def make_profile(
    *launches: KernelLaunch, settings: Settings | None = None, warnings: tuple[str, ...] = ()
) -> Profile:
    """A profile of these launches."""
    return Profile(
        path="made.csv",
        format="csv-raw",
        launches=launches,
        settings=settings or Settings(),
        warnings=warnings,
    )


def is_stall(metric: str) -> bool:
    """Whether a metric is one of the stall ratios that ``make_launch`` writes."""
    return metric.startswith(_PREFIX) and metric.endswith(_SUFFIX)


NAN = math.nan
