"""Which metrics ncu knows on which chip, and which suffixes a name may carry."""

from __future__ import annotations

import lzma
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

COUNTER, RATIO, THROUGHPUT = "c", "r", "t"
ROLLUPS = ("sum", "avg", "min", "max")


@dataclass(frozen=True)
class MetricNames:
    """``kinds``: name -> counter, ratio or throughput. ``masks``: name -> one bit a chip."""

    chips: tuple[str, ...]
    kinds: dict[str, str]
    masks: dict[str, int]

    def chips_with(self, base: str) -> frozenset[str]:
        """The chips that have a hardware metric of that base name."""
        mask = self.masks.get(base, 0)
        return frozenset(chip for bit, chip in enumerate(self.chips) if mask >> bit & 1)


@cache
def metric_names() -> MetricNames:
    """``metric_names.txt.xz``: a line of chips, then name, kind and the chips as a hexadecimal mask."""
    packed = files("ncuanalyze.section_lint").joinpath("metric_names.txt.xz").read_bytes()
    first, *rows = lzma.decompress(packed).decode().splitlines()
    table = [row.split(" ") for row in rows]
    return MetricNames(
        chips=tuple(first.split(" ")),
        kinds={name: kind for name, kind, _ in table},
        masks={name: int(mask, 16) for name, _, mask in table},
    )


@cache
def other_names() -> dict[str, Any]:
    """``other_metrics.toml``: what is no hardware metric, and the chips' compute capabilities."""
    text = files("ncuanalyze.section_lint").joinpath("other_metrics.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def arch_of_chip() -> dict[str, int]:
    """Chip -> compute capability times ten."""
    return dict(other_names()["arch_of_chip"])


def is_unlisted(name: str) -> bool:
    """Whether a name belongs to a family that no list of hardware metrics holds."""
    others = other_names()
    return name in others["names"] or name.startswith(tuple(others["prefixes"]))


def suffix_problem(name: str) -> str | None:
    """What is wrong with the part of a hardware metric's name after its first dot; None where nothing is."""
    base, _, suffix = name.partition(".")
    kind = metric_names().kinds.get(base)
    rollup, _, rest = suffix.partition(".")
    if not suffix:
        return (
            "needs a rollup (.sum, .avg, .min, .max)" if kind != RATIO else "needs .pct, .ratio or .max_rate"
        )
    submetrics = other_names()["submetrics"]
    if kind == RATIO:
        return None if suffix in submetrics["ratio"] else "is a ratio: it has .pct, .ratio and .max_rate only"
    if rollup not in ROLLUPS:
        return f"has no rollup {rollup!r}: use .sum, .avg, .min or .max"
    if kind == THROUGHPUT:
        return (
            None
            if rest in submetrics["throughput"]
            else "is a throughput: it has only .pct_of_peak_sustained_*"
        )
    return None if not rest or rest in submetrics["counter"] else f"has no submetric {rest!r}"
