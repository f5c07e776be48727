"""The comparison that was made is the object that is shown."""

from __future__ import annotations

import operator
from collections.abc import Callable

from ncuanalyze.record import record

RELATIONS: dict[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
}


@record
class Evidence:
    """A measured number, alone or compared with a limit; ``unit`` holds for both.

    ``label`` is the reader's name of the quantity, ``metric`` the counter it comes from (for a derived quantity,
    the formula over counters).
    """

    label: str
    metric: str
    value: float
    unit: str = ""
    relation: str = ""
    limit: float | None = None

    @property
    def holds(self) -> bool:
        """True where the value stands in the relation to the limit; a bare value always holds."""
        if self.limit is None or not self.relation:
            return True
        return RELATIONS[self.relation](self.value, self.limit)

    def check(self) -> None:
        """ValueError for a relation that there is not, which only a damaged document can hold."""
        if self.relation and self.relation not in RELATIONS:
            raise ValueError(f"{self.relation!r} is no relation")


def at_least(label: str, metric: str, value: float, limit: float, unit: str = "") -> Evidence:
    """The comparison ``value >= limit``; ``holds`` says how it came out."""
    return Evidence(label=label, metric=metric, value=value, unit=unit, relation=">=", limit=limit)


def below(label: str, metric: str, value: float, limit: float, unit: str = "") -> Evidence:
    """The comparison ``value < limit``; ``holds`` says how it came out."""
    return Evidence(label=label, metric=metric, value=value, unit=unit, relation="<", limit=limit)


def fact(label: str, metric: str, value: float, unit: str = "") -> Evidence:
    """A bare value."""
    return Evidence(label=label, metric=metric, value=value, unit=unit)
