"""What an assertion of a budget says, once parsed."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Number:
    """A number, with the unit written after it or none."""

    value: float
    unit: str = ""


@dataclass(frozen=True)
class Text:
    """A quoted text, or one of the bare words true and false."""

    value: str


@dataclass(frozen=True)
class Name:
    """A derived value of ours or a metric of ncu."""

    name: str


@dataclass(frozen=True)
class Binary:
    """Two operands and one of ``+ - * /``."""

    operator: str
    left: Operand
    right: Operand


@dataclass(frozen=True)
class Negative:
    """The operand with its sign changed."""

    operand: Operand


Operand = Number | Text | Name | Binary | Negative


@dataclass(frozen=True)
class Comparison:
    """Two operands in a relation; ``tolerance_pct`` None is the budget's own."""

    left: Operand
    relation: str
    right: Operand
    tolerance_pct: float | None = None


@dataclass(frozen=True)
class NoFinding:
    """``no finding [ID] [above FACTOR x]``: none of that id, none that promises more than the factor."""

    id: str = ""
    above: float | None = None


Assertion = Comparison | NoFinding
