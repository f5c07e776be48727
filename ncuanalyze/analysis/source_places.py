"""Addresses folded to places: source lines, or single instructions where there are none."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import TypeVar

from ncuanalyze.profile import KernelLaunch

T = TypeVar("T")
Place = tuple[str, int]


def places_of(launch: KernelLaunch, addresses: Iterable[int]) -> dict[int, Place]:
    """Address -> (file, line); an address without line information is its own place ("", byte offset).

    Code compiled without line information has none anywhere: three probes spare it thousands of look-ups.
    """
    known = sorted(addresses)
    source = launch.source
    if source is None or not known:
        return {}
    probes = (known[0], known[len(known) // 2], known[-1])
    if not any(source.line(address) for address in probes):
        return {address: ("", address - known[0]) for address in known}
    return {address: source.line(address) or ("", address - known[0]) for address in known}


def summed(amounts: Mapping[int, float], places: Mapping[int, Place]) -> dict[Place, float]:
    """Amounts by place; an address without a place is left out."""
    by_place: dict[Place, float] = defaultdict(float)
    for address, amount in amounts.items():
        if place := places.get(address):
            by_place[place] += amount
    return dict(by_place)


def largest_first(amounts: Mapping[T, float]) -> list[tuple[T, float]]:
    """The items, largest amount first."""
    return sorted(amounts.items(), key=lambda item: -item[1])
