"""Metrics of a profile as aligned text, CSV, JSON and Parquet."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from ncuanalyze.errors import MissingDependency
from ncuanalyze.frame import IDENTITY, identity_of, units_of
from ncuanalyze.profile import KernelLaunch, Profile, Value
from ncuanalyze.render.json_text import json_text
from ncuanalyze.render.names import inert_cell, safe_text, short_name

Launches = Sequence[KernelLaunch]


def text(launches: Launches, names: Sequence[str]) -> str:
    """One block a launch: name, value and unit of each metric it has."""
    blocks = []
    for launch in launches:
        rows = [
            (safe_text(name), _shown(launch.metrics.raw(name)), safe_text(launch.metrics.unit(name)))
            for name in names
            if launch.metrics.raw(name) is not None
        ]
        blocks.append("\n".join((_heading(launch), *_aligned(rows))) + "\n")
    return "\n".join(blocks)


def csv_table(launches: Launches, names: Sequence[str]) -> str:
    """One row a launch; a heading is ``name [unit]``, a metric without a value an empty cell."""
    units = units_of(launches, names)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*IDENTITY, *(inert_cell(f"{name} [{units[name]}]" if units[name] else name) for name in names)])
    for launch in launches:
        values = (launch.metrics.raw(name) for name in names)
        identity = (cell or "" for cell in identity_of(launch))
        writer.writerow([*map(inert_cell, identity), *map(_plain, values)])
    return out.getvalue()


def json_table(launches: Launches, names: Sequence[str]) -> str:
    """A list of launches, each with its metrics: value, unit, and where there is no number the reason."""
    return json_text([_document(launch, names) for launch in launches])


def parquet(profile: Profile, names: Sequence[str], path: Path) -> None:
    """One row a launch, the units in the attributes. Raises MissingDependency without pyarrow."""
    try:
        import pyarrow  # noqa: F401
    except ImportError as error:
        raise MissingDependency(
            "writing Parquet needs pyarrow", hint="Install it with: pip install 'ncuanalyze[parquet]'"
        ) from error
    frame = profile.to_frame(names)
    texts = [name for name in names if frame[name].dtype == object]
    frame[texts] = frame[texts].map(lambda cell: cell if isinstance(cell, str) else None)
    written = io.BytesIO()  # pyarrow opens no path that is not UTF-8, nor pandas a file of that name
    frame.to_parquet(written, index=False)
    path.write_bytes(written.getbuffer())


TABLES: Mapping[str, Callable[[Launches, Sequence[str]], str]] = {
    "text": text,
    "csv": csv_table,
    "json": json_table,
}


def _heading(launch: KernelLaunch) -> str:
    _, _, grid, block, nvtx = identity_of(launch)
    size = f", grid {grid}, block {block}" if grid else ""
    ranges = f", NVTX {safe_text(nvtx)}" if nvtx else ""
    return f"{safe_text(launch.id)}  {short_name(launch.demangled)}{size}{ranges}"


def _aligned(rows: Sequence[tuple[str, str, str]]) -> list[str]:
    widest = max((len(name) for name, _, _ in rows), default=0)
    longest = max((len(value) for _, value, _ in rows), default=0)
    return [f"  {name:<{widest}}  {value:>{longest}}  {unit}".rstrip() for name, value, unit in rows]


def _shown(value: Value | None) -> str:
    if isinstance(value, float):
        return f"{value:,.0f}" if value.is_integer() else f"{value:,.6g}"
    return safe_text(value or "")


def _plain(value: Value | None) -> str:
    if isinstance(value, float):
        return f"{value:.0f}" if value.is_integer() and abs(value) < 1e15 else repr(value)
    return inert_cell(value or "")


def _document(launch: KernelLaunch, names: Sequence[str]) -> Mapping[str, object]:
    return {
        "id": launch.id,
        "name": launch.name,
        "demangled": launch.demangled,
        "grid": launch.grid,
        "block": launch.block,
        "nvtx": launch.nvtx,
        "metrics": {name: _metric(launch, name) for name in names},
    }


def _metric(launch: KernelLaunch, name: str) -> Mapping[str, object]:
    value = launch.metrics.raw(name)
    known = {"value": value, "unit": launch.metrics.unit(name)}
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return {**known, "value": None, "absence": launch.absence(name)}
    return known
