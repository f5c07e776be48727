"""From reports of saturating kernels to the ceilings of their GPU."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePath

from ncuanalyze.analysis.ceilings import Ceiling, Ceilings
from ncuanalyze.analysis.roofline import roofline_of
from ncuanalyze.analysis.roofline_data import threshold
from ncuanalyze.diagnosis.measured import Roof
from ncuanalyze.errors import InvalidInput
from ncuanalyze.profile import KernelLaunch, Profile
from ncuanalyze.record import record

PERCENT = 100.0


@record
class Calibration:
    """The ceilings, and the launches that set none with the reason."""

    ceilings: Ceilings
    unused: tuple[str, ...]


def calibrate(profiles: Sequence[Profile]) -> Calibration:
    """The best share of each roof over all launches.

    A launch counts only for its nearest roof: what it reaches of another says nothing about that one. It must
    run long enough for the counters to be steady, and reach at least half of the roof.
    Raises InvalidInput where the reports are of different GPUs or no launch saturates anything.
    """
    device = _device(profiles)
    best: dict[str, Ceiling] = {}
    unused: list[str] = []
    for profile in profiles:
        for launch in profile.launches:
            found = _reached(launch, PurePath(profile.path).name)
            if isinstance(found, str):
                unused.append(f"{launch.name}: {found}")
            elif found.roof not in best or found.pct_of_roof > best[found.roof].pct_of_roof:
                best[found.roof] = found
    if not best:
        raise InvalidInput(
            "no launch saturates a roof",
            hint="profile a copy, an L2-resident read and large GEMMs, with --set full",
        )
    version = next((profile.settings.ncu_version for profile in profiles), "")
    ordered = tuple(best[name] for name in sorted(best, key=lambda name: (best[name].unit != "byte/s", name)))
    return Calibration(ceilings=Ceilings(device=device, ceilings=ordered, ncu_version=version), unused=tuple(unused))


def _device(profiles: Iterable[Profile]) -> str:
    names = {launch.device.name or "" for profile in profiles for launch in profile.launches}
    if len(names) != 1 or "" in names:
        listed = ", ".join(sorted(name or "an unnamed GPU" for name in names)) or "no launch"
        raise InvalidInput(
            f"ceilings are of one GPU, the reports are of: {listed}", hint="calibrate each GPU by itself"
        )
    return names.pop()


def _reached(launch: KernelLaunch, report: str) -> Ceiling | str:
    """What the launch reached of its nearest roof, or why it sets no ceiling."""
    duration_ns = launch.duration_ns
    if duration_ns is None or duration_ns < threshold("steady_ns"):
        return "too short for steady counters"
    roofline = roofline_of(launch)
    roof = None if roofline is None else next(_named(roofline.roofs, roofline.nearest_roof), None)
    if roof is None or not roof.achieved_per_s:
        return "no roof of its own"
    pct = PERCENT * roof.achieved_per_s / roof.per_s
    if pct > PERCENT * threshold("above_roof"):
        return f"{pct:.0f} % of {roof.name}: above it"
    if pct < threshold("saturating_pct"):
        return f"{pct:.0f} % of {roof.name}: not saturated"
    return Ceiling(
        roof=roof.name,
        pct_of_roof=pct,
        per_s=roof.achieved_per_s,
        unit=_unit(roof),
        kernel=launch.nvtx[-1] if launch.nvtx else launch.name,
        report=report,
        roof_per_s=roof.per_s,
        clock_hz=roof.clock_hz,
        duration_ns=duration_ns,
    )


def _unit(roof: Roof) -> str:
    if roof.kind == "memory":
        return "byte/s"
    return "OP/s" if roof.level.startswith("INT") else "FLOP/s"


def _named(roofs: Sequence[Roof], name: str) -> Iterator[Roof]:
    return (roof for roof in roofs if roof.name == name and roof.used)
