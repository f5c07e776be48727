"""A model over a range of sizes: ``m=64..8192``, ``m=n=k=64..8192``, ``m=1,16,128`` or ``m=64..512:64``."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ncuanalyze.errors import InvalidInput
from ncuanalyze.modelling.estimate import Estimate, estimate
from ncuanalyze.modelling.parameters import whole_number
from ncuanalyze.specs import GpuSpec

MOST_POINTS = 1000
_RANGE = re.compile(r"^([^.:]+)\.\.([^.:]+)(?::([^.:]+))?$")
_EXAMPLE = "such as m=64..8192 (doubling), m=64..512:64 (steps), m=n=k=64..8192 or m=1,16,128"


@dataclass(frozen=True, kw_only=True)
class Sweep:
    """Parameters that move together, and their values."""

    names: tuple[str, ...]
    values: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class SweepPoint:
    """The model at one value on one GPU."""

    value: int
    estimate: Estimate


def parse_sweep(text: str) -> Sweep:
    """A sweep as the user writes it. Raises ``InvalidInput``."""
    *names, values = text.replace(" ", "").split("=")
    if not names or not all(names) or not values:
        raise InvalidInput(f"{text!r} is no sweep", hint=_EXAMPLE)
    found = _values(names[0], values)
    if len(found) > MOST_POINTS:
        raise InvalidInput(f"{text!r} has {len(found)} points", hint=f"keep it below {MOST_POINTS}")
    return Sweep(names=tuple(name.lower() for name in names), values=found)


def run_sweep(
    operator: str,
    parameters: Mapping[str, object],
    sweep: Sweep,
    gpus: Sequence[str | GpuSpec],
    *,
    accumulator: str | None = None,
) -> tuple[SweepPoint, ...]:
    """The model at every value on every GPU, GPU by GPU."""
    return tuple(
        SweepPoint(
            value=value,
            estimate=estimate(
                operator, {**parameters, **dict.fromkeys(sweep.names, value)}, gpu, accumulator=accumulator
            ),
        )
        for gpu in gpus
        for value in sweep.values
    )


def _values(name: str, text: str) -> tuple[int, ...]:
    match = _RANGE.match(text)
    if match is None:
        return tuple(whole_number(name, part) for part in text.split(","))
    first, last = whole_number(name, match[1]), whole_number(name, match[2])
    if last < first:
        raise InvalidInput(f"{text} runs backwards", hint=_EXAMPLE)
    if match[3]:
        step = whole_number(name, match[3])
        return tuple(range(first, min(last, first + step * MOST_POINTS) + 1, step))
    values = [first]
    while values[-1] * 2 <= last:
        values.append(values[-1] * 2)
    return tuple(values) if values[-1] == last else (*values, last)
