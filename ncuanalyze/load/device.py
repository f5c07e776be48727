"""The GPU of a launch, from its ``device__attribute_*`` metrics."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ncuanalyze.data import table
from ncuanalyze.load.deferred import DeferredMapping
from ncuanalyze.profile import Device, Metrics, Value

_ATTRIBUTE = "device__attribute_"
_CAPABILITY = re.compile(r"(\d{1,3})\.(\d{1,3})")


def device_of(metrics: Metrics, compute_capability: str = "") -> Device:
    """The device; ``compute_capability`` (``"9.0"``) is what the export prints beside the metrics."""
    name = metrics.raw(_ATTRIBUTE + "display_name")
    chip = whole(metrics, _ATTRIBUTE + "chip")
    return Device(
        name=name if isinstance(name, str) else None,
        compute_capability=_capability(metrics, compute_capability),
        sm_count=whole(metrics, _ATTRIBUTE + "multiprocessor_count") or whole(metrics, "launch__sm_count"),
        chip=table("load", "chips")["chips"].get(str(chip)) if chip is not None else None,
        attributes=DeferredMapping(lambda: _attributes(metrics)),
    )


def _capability(metrics: Metrics, printed: str) -> tuple[int, int] | None:
    major = whole(metrics, _ATTRIBUTE + "compute_capability_major")
    minor = whole(metrics, _ATTRIBUTE + "compute_capability_minor")
    if major is not None and minor is not None:
        return major, minor
    found = _CAPABILITY.fullmatch(printed)
    return (int(found[1]), int(found[2])) if found else None


def whole(metrics: Metrics, name: str) -> int | None:
    """The number of a metric that counts something; None where it is none that a count can be."""
    value = metrics.raw(name)
    return int(value) if isinstance(value, float) and value == value and abs(value) < 1e18 else None


def _attributes(metrics: Metrics) -> Mapping[str, Value]:
    pairs = ((name, metrics.raw(name)) for name in metrics.names() if name.startswith(_ATTRIBUTE))
    return {name.removeprefix(_ATTRIBUTE): value for name, value in pairs if value is not None}
