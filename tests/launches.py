"""Launches and profiles made from a table of metrics."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from ncuanalyze.profile import Device, KernelLaunch, MetricTable, Profile, Settings, Value

FIXTURES = Path(__file__).parent.parent / "fixtures"
BESIDE = Path(__file__).parent.parent.parent / "shared"
"""Larger data that may lie beside a checkout; tests that use it are skipped where it does not."""
STALL = "smsp__average_warps_issue_stalled_{}_per_issue_active.ratio"
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
