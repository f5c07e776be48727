"""The expressions of derived metrics: one operator between two operands, or ncu shows no data."""

from __future__ import annotations

import re
from dataclasses import dataclass

_NUMBER = re.compile(r"\d+(?:\.\d*)?$")
_EXPONENT = re.compile(r"(?<![\w.])\d+(?:\.\d*)?[eE][-+]?\d+")
_METRIC = re.compile(r"[A-Za-z_][\w:.]*$")
_OPERATORS = re.compile(r"([-+*/])")


@dataclass(frozen=True)
class Expression:
    """``operands`` in order; a number stays text."""

    operands: tuple[str, ...]
    operator: str = ""

    @property
    def metrics(self) -> tuple[str, ...]:
        """The operands that are metrics."""
        return tuple(operand for operand in self.operands if _METRIC.match(operand))


def parse_expression(text: str) -> Expression | str:
    """The expression, or what is wrong with it."""
    if "(" in text or ")" in text:
        return "parentheses are not part of the format: chain derived metrics instead"
    if found := _EXPONENT.search(text):
        return f"the constant {found[0]} has an exponent: write it out in digits"
    parts = _OPERATORS.split(text)
    operands, operators = tuple(part.strip() for part in parts[::2]), parts[1::2]
    if len(operators) > 1:
        return f"{len(operators)} operators: only one is allowed, so chain derived metrics"
    bad = next((each for each in operands if not _NUMBER.match(each) and not _METRIC.match(each)), None)
    if bad is not None:
        return f"{bad!r} is neither a metric nor a number such as 128 or 0.5" if bad else "an operand is missing"
    if not operators:
        return "no operator: ncu shows no data for a bare name (multiply by 1)"
    return Expression(operands, operators[0])
