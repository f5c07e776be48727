"""A budget proposed from a good report: what it reaches today, with room for noise."""

from __future__ import annotations

import math
from collections.abc import Iterator

from ncuanalyze.compare.comparison import Spread
from ncuanalyze.compare.launches import Group, groups_of, launches_of
from ncuanalyze.compare.noise import noise
from ncuanalyze.compare.spread import single_launch_pct, spread_of
from ncuanalyze.diagnosis import Bound, Diagnosis
from ncuanalyze.gate.budget import SCHEMA
from ncuanalyze.gate.quantity import reading_of
from ncuanalyze.units import SMALLEST

_HEAD = """\
# Proposed from {file}. Loosen or tighten each line; `ncuanalyze check --names` lists what may be asserted.
schema = "{schema}"
"""
_RESOURCES = ("registers_per_thread", "shared_bytes_per_block")


def propose(diagnosis: Diagnosis) -> str:
    """The TOML of a budget that this report passes: duration, registers, spills, bound, findings."""
    head = _HEAD.format(file=_comment(diagnosis.source.file), schema=SCHEMA)
    gpu = f"gpu = {_quoted(diagnosis.device.name)}\n" if diagnosis.device.name else ""
    groups = groups_of(launches_of([diagnosis]))
    by_name: dict[tuple[str, tuple[str, ...]], list[Group]] = {}
    for group in groups:
        by_name.setdefault(
            (group.first.kernel.demangled or group.first.kernel.name, group.first.kernel.nvtx), []
        ).append(group)
    tables = [_table(name, nvtx, found) for (name, nvtx), found in by_name.items()]
    return head + gpu + "".join(table for table in tables if table)


def _table(name: str, nvtx: tuple[str, ...], groups: list[Group]) -> str:
    lines = [f"    {_quoted(text)}," for text in _assertions(groups)]
    if not lines:
        return ""
    path = f"nvtx = {_quoted(_literal(nvtx[-1]))}\n" if nvtx else ""
    return f"\n[[budget]]\nkernel = {_quoted(_literal(name))}\n{path}assert = [\n" + "\n".join(lines) + "\n]\n"


def _assertions(groups: list[Group]) -> Iterator[str]:
    figures = noise()
    spreads = [found for group in groups if (found := spread_of(group, figures)) is not None]
    if spreads:
        yield f"duration_us < {_rounded_up(max(map(_slowest_ns, spreads)) / 1e3)}"
    for resource in _RESOURCES:
        if (most := _most(groups, resource)) is not None:
            yield f"{resource} <= {most:.0f}"
    if _most(groups, "local_memory_spilling") == 0:
        yield "local_memory_spilling == 0"
    bounds = {group.typical.bound for group in groups}
    if len(bounds) == 1 and (bound := bounds.pop()) is not Bound.INCONCLUSIVE:
        yield f'bound == "{bound.value}"'
    yield f"no finding above {_loudest(groups):g}x"


def _slowest_ns(found: Spread) -> float:
    """What the next run may take: the slowest sample, one launch's noise and the threshold on top."""
    figures = noise()
    room = figures.threshold_pct + single_launch_pct(found.median_ns, figures)
    return found.maximum_ns * (1 + room / 100.0) if math.isfinite(room) else found.maximum_ns


def _most(groups: list[Group], name: str) -> float | None:
    readings = [reading_of(name, launch.diagnosis) for group in groups for launch in group.launches]
    values = [item.value for item in readings if item is not None and isinstance(item.value, float | int)]
    return max(map(float, values)) if values and len(values) == len(readings) else None


def _loudest(groups: list[Group]) -> float:
    """The highest gain promised today, a tenth more, in steps of a tenth; at least 1.2."""
    gains = [
        item.speedup.estimate
        for group in groups
        for launch in group.launches
        for item in launch.diagnosis.findings
        if item.kind == "cause" and item.speedup is not None and math.isfinite(item.speedup.estimate)
    ]
    return max(1.2, math.ceil(max(gains, default=1.0) * 11 - 1e-9) / 10)


def _rounded_up(value: float) -> str:
    """Three significant digits, never less than the value."""
    if value <= 0:
        return "0"
    step = 10.0 ** (math.floor(math.log10(max(value, SMALLEST))) - 2)
    return f"{math.ceil(value / step) * step:.6g}"


def _literal(name: str) -> str:
    """The name as a glob that matches itself only."""
    return "".join(f"[{char}]" if char in "*?[" else char for char in name)


def _quoted(text: str | None) -> str:
    """A TOML string on one line: literal where it holds double quotes only, else basic."""
    if text and '"' in text and "'" not in text and text.isprintable():
        return f"'{text}'"
    escaped = (text or "").replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(char if char.isprintable() else f"\\U{ord(char):08x}" for char in escaped) + '"'


def _comment(text: str) -> str:
    return "".join(char if char.isprintable() else "?" for char in text)
