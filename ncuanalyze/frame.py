"""A profile as a pandas table: one row a launch."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ncuanalyze.profile import KernelLaunch, Profile, Value

if TYPE_CHECKING:
    import pandas

IDENTITY = ("id", "name", "grid", "block", "nvtx")
_NAME_LISTS = ("breakdown:", "group:", "regex:")


def frame_of(profile: Profile, names: Sequence[str] | None = None) -> pandas.DataFrame:
    """One row a launch: id, name, grid and block (``16384x1x1``), nvtx (``outer/inner``), then the metrics.

    Numbers are in base units, missing ones NaN; ``frame.attrs["units"]`` has the unit of each metric.
    """
    import pandas

    launches = profile.launches
    wanted = metric_names(launches) if names is None else list(names)
    columns: dict[str, list[Value | None]] = {
        name: [_cell(launch.metrics.raw(name)) for launch in launches] for name in wanted
    }
    identity = zip(*map(identity_of, launches), strict=True) if launches else [[] for _ in IDENTITY]
    leading = dict(zip(IDENTITY, map(list, identity), strict=True))
    frame = pandas.DataFrame({**leading, **columns})
    frame.attrs["units"] = units_of(launches, wanted)
    return frame


def metric_names(launches: Sequence[KernelLaunch]) -> list[str]:
    """Every metric of any launch in the order met, without those that only list other metrics."""
    names = dict.fromkeys(name for launch in launches for name in launch.metrics.names())
    return [name for name in names if not name.startswith(_NAME_LISTS)]


def units_of(launches: Sequence[KernelLaunch], names: Sequence[str]) -> dict[str, str]:
    """Base unit of each metric, from the first launch that has one."""
    return {
        name: next((unit for launch in launches if (unit := launch.metrics.unit(name))), "") for name in names
    }


def identity_of(launch: KernelLaunch) -> tuple[str, str, str | None, str | None, str]:
    """The leading columns of one row."""
    return launch.id, launch.name, _size(launch.grid), _size(launch.block), "/".join(launch.nvtx)


def _size(size: tuple[int, int, int] | None) -> str | None:
    return None if size is None else "x".join(map(str, size))


def _cell(value: Value | None) -> Value:
    return math.nan if value is None else value
