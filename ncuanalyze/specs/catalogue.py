"""The GPU files of the package: reading them and finding one by name."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from typing import Any

from ncuanalyze.data import PACKAGE
from ncuanalyze.errors import InvalidInput
from ncuanalyze.specs.gpu import ComputePeak, Figure, GpuSpec, MeasuredCeiling


@cache
def all_specs() -> tuple[GpuSpec, ...]:
    """Every GPU of the package, oldest architecture first."""
    found = [spec_from_toml(tomllib.loads(text)) for text in _texts()]
    return tuple(sorted(found, key=lambda spec: (spec.compute_capability, spec.key)))


def spec_for_name(name: str) -> GpuSpec:
    """The GPU a user names: key, alias or full name, whatever the case and the separators.

    Raises ``InvalidInput`` with the nearest names.
    """
    wanted = _plain(name)
    by_name = {_plain(alias): spec for spec in all_specs() for alias in _user_names(spec)}
    if wanted in by_name:
        return by_name[wanted]
    from difflib import get_close_matches

    near = get_close_matches(wanted, by_name, n=3, cutoff=0.5)
    known = sorted({by_name[match].key for match in near}) or [spec.key for spec in all_specs()]
    raise InvalidInput(
        f"no GPU is called {name!r}", hint="known: " + ", ".join(known) + " (`ncuanalyze gpus`)"
    )


def spec_for_device(device_name: str | None, compute_capability: tuple[int, int] | None) -> GpuSpec | None:
    """The GPU of a report, by the name its driver gives; None where it is unknown or a MIG slice."""
    for text in _texts():
        if (
            not device_name or f'"{device_name}"' not in text
        ):  # parses one file, not all: a report waits for it
            continue
        spec = spec_from_toml(tomllib.loads(text))
        if device_name in spec.device_names and compute_capability in (None, spec.compute_capability):
            return spec
    return None


def spec_from_toml(data: Mapping[str, Any]) -> GpuSpec:
    """One GPU file as an object; a peak without a vendor's figure is SMs x FLOP/cycle/SM x clock."""
    figures = {name: Figure(**value) for name, value in data["figures"].items()}
    sm_count = figures["sm_count"].value
    major, minor = data["compute_capability"].split(".")
    return GpuSpec(
        key=data["key"],
        name=data["name"],
        aliases=tuple(data["aliases"]),
        device_names=tuple(data["device_names"]),
        architecture=data["architecture"],
        chip=data["chip"],
        compute_capability=(int(major), int(minor)),
        figures=figures,
        peaks=tuple(_peak(entry, sm_count) for entry in data["peaks"]),
        measured=tuple(MeasuredCeiling(**entry) for entry in data.get("measured", ())),
    )


@cache
def _texts() -> tuple[str, ...]:
    return tuple(path.read_text("utf-8") for path in sorted((PACKAGE / "specs").glob("*.toml")))


def _peak(entry: Mapping[str, Any], sm_count: float) -> ComputePeak:
    headline = entry.get("headline_flop_per_s")
    derived = sm_count * entry["flop_per_cycle_per_sm"] * entry["clock_hz"]
    return ComputePeak(
        **{**entry, "headline_flop_per_s": headline},
        flop_per_s=derived if headline is None else headline,
    )


def _user_names(spec: GpuSpec) -> tuple[str, ...]:
    return (spec.key, spec.name, *spec.aliases, *spec.device_names)


def _plain(name: str) -> str:
    words = name.lower().replace("_", " ").replace("-", " ").split()
    return "".join(word for word in words if word not in {"nvidia", "geforce", "tesla"})
