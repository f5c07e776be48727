"""An assertion judged on the launches of one kernel."""

from __future__ import annotations

import math
import operator
import statistics
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from ncuanalyze.diagnosis import KernelDiagnosis
from ncuanalyze.errors import InvalidInput
from ncuanalyze.gate.expression import Binary, Comparison, Name, Negative, NoFinding, Number, Operand, Text
from ncuanalyze.gate.nearest import nearest
from ncuanalyze.gate.outcome import Status
from ncuanalyze.gate.quantity import Reading, known_names, reading_of
from ncuanalyze.gate.unit import PLAIN, Unit, unit_named

_RELATIONS: dict[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}
ROUNDING = 1e-9
"""Numbers closer than this (relative) are equal: what is lost when units are converted."""
_FLIPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}


@dataclass(frozen=True)
class Value:
    """A value on the way through an assertion; ``bare`` numbers take the unit of what they meet."""

    value: float | str | None
    unit: Unit
    bare: bool = False
    reason: str = ""
    texts: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Judged:
    """How an assertion came out. ``measured`` and ``limit`` are in ``unit``; texts stand for themselves."""

    status: Status
    measured: float | str | None = None
    limit: float | str | None = None
    unit: str = ""
    relation: str = ""
    note: str = ""


def judge_comparison(stated: Comparison, launches: Sequence[KernelDiagnosis], tolerance_pct: float) -> Judged:
    """Judge a comparison on the median over the launches.

    Raises InvalidInput for names that no launch knows, units that cannot be compared, and texts among
    numbers.
    """
    left, right = _value(stated.left, launches), _value(stated.right, launches)
    relation = stated.relation
    if isinstance(stated.left, Number | Text) and not isinstance(stated.right, Number | Text):
        left, right, relation = right, left, _FLIPPED[relation]
    if isinstance(left.value, str) or isinstance(right.value, str) or left.texts or right.texts:
        return _texts(left, relation, right)
    limit = right
    left, right = _alike(left, right, "compared")
    if isinstance(stated.left, Number) or isinstance(stated.right, Number):
        left, right = _shown_as(left, right, limit)
    tolerance = tolerance_pct if stated.tolerance_pct is None else stated.tolerance_pct
    return _numbers(left, relation, right, tolerance)


def judge_findings(stated: NoFinding, launches: Sequence[KernelDiagnosis], known_ids: Collection[str] = ()) -> Judged:
    """Judge ``no finding``: the loudest of any launch that is of the id and above the factor."""
    causes = [item for launch in launches for item in launch.findings if item.kind == "cause"]
    if stated.id and known_ids and stated.id not in {*known_ids, *(item.id for item in causes)}:
        close = nearest(stated.id, known_ids)
        raise InvalidInput(f"'{stated.id}' is no finding", hint=f"the nearest id is '{close}'")
    wanted = [item for item in causes if not stated.id or item.id == stated.id]
    gains = [(item.speedup.estimate if item.speedup else math.nan, item) for item in wanted]
    loud = [(gain, item) for gain, item in gains if stated.above is None or gain > stated.above]
    if not loud:
        best = max((gain for gain, _ in gains if not math.isnan(gain)), default=None)
        return Judged(status=Status.PASSED, measured=best, limit=stated.above, unit="x", relation="<=")
    gain, worst = max(loud, key=lambda pair: -1.0 if math.isnan(pair[0]) else pair[0])
    note = f"{worst.id}: {worst.title}"
    measured = None if math.isnan(gain) else gain
    return Judged(status=Status.FAILED, measured=measured, limit=stated.above, unit="x", relation="<=", note=note)


def _value(operand: Operand, launches: Sequence[KernelDiagnosis]) -> Value:
    match operand:
        case Number(value, ""):
            return Value(value, PLAIN, bare=True)
        case Number(value, unit):
            return Value(value, unit_named(unit) or PLAIN)
        case Text(text):
            return Value(text, PLAIN)
        case Name(name):
            return _named(name, launches)
        case Negative(inner):
            found = _number(_value(inner, launches))
            return Value(None if found.value is None else -float(found.value), found.unit, found.bare, found.reason)
        case Binary(sign, left, right):
            return _binary(sign, _number(_value(left, launches)), _number(_value(right, launches)))


def _named(name: str, launches: Sequence[KernelDiagnosis]) -> Value:
    readings = [reading for launch in launches if (reading := reading_of(name, launch)) is not None]
    if not readings:
        raise unknown_name(name, launches)
    values = [reading.value for reading in readings if reading.value is not None]
    first = next((reading for reading in readings if reading.value is not None), readings[0])
    texts = [value for value in values if isinstance(value, str)]
    if texts:
        return Value(" and ".join(dict.fromkeys(texts)), first.unit, texts=first.texts or ("*",))
    numbers = [float(value) for value in values if not isinstance(value, str)]
    middle = statistics.median(numbers) if numbers else None
    return Value(middle, first.unit, reason=_reason(name, first), texts=first.texts)


def _reason(name: str, reading: Reading) -> str:
    return f"{name} is {reading.reason}" if reading.value is None else ""


def unknown_name(name: str, launches: Sequence[KernelDiagnosis]) -> InvalidInput:
    """The error for a name that no launch knows; it names the nearest one."""
    close = nearest(name, known_names(launches))
    more = f"; or collect it with ncu --metrics {name}" if "__" in name else ""
    return InvalidInput(f"'{name}' is no value of this report", hint=f"the nearest name is '{close}'{more}")


def _number(found: Value) -> Value:
    if isinstance(found.value, str):
        raise InvalidInput(f"'{found.value}' is a text, not a number", hint="calculate with numbers only")
    return found


def _binary(sign: str, left: Value, right: Value) -> Value:
    reason = left.reason or right.reason
    if sign in "+-":
        left, right = _alike(left, right, "added")
        unit, bare = left.unit, left.bare and right.bare
    else:
        unit, bare = left.unit.times(right.unit, 1 if sign == "*" else -1), left.bare and right.bare
    if left.value is None or right.value is None:
        return Value(None, unit, reason=reason)
    return Value(_calculated(sign, float(left.value), float(right.value)), unit, bare, _zero(sign, right))


def _calculated(sign: str, left: float, right: float) -> float | None:
    if sign == "/":
        return left / right if right else None
    if sign == "*":
        return left * right
    return left + right if sign == "+" else left - right


def _zero(sign: str, right: Value) -> str:
    return "division by zero" if sign == "/" and right.value == 0 else ""


def _alike(left: Value, right: Value, verb: str) -> tuple[Value, Value]:
    """Both in the unit of the left (of the right where the left is a bare number)."""
    if left.bare:
        return Value(left.value, right.unit, right.bare, left.reason), right
    if right.bare:
        return left, Value(right.value, left.unit, False, right.reason)
    if left.unit.dimensions != right.unit.dimensions:
        one, other = left.unit.text or "a plain number", right.unit.text or "a plain number"
        raise InvalidInput(f"{one} and {other} cannot be {verb}", hint="give both in units of one kind")
    scale = right.unit.scale / left.unit.scale
    value = None if right.value is None else float(right.value) * scale
    return left, Value(value, left.unit, False, right.reason)


def _shown_as(left: Value, right: Value, limit: Value) -> tuple[Value, Value]:
    """Both in the unit that the limit was written in; as they are where it has none."""
    if limit.bare or left.value is None:
        return left, right
    value = float(left.value) * left.unit.scale / limit.unit.scale
    return Value(value, limit.unit, False, left.reason), limit


def _texts(left: Value, relation: str, right: Value) -> Judged:
    if left.value is None or right.value is None:
        return Judged(status=Status.MISSING, note=left.reason or right.reason)
    if relation not in ("==", "!="):
        raise InvalidInput(f"texts have no order: {relation}", hint="compare texts with == or !=")
    if not isinstance(left.value, str) or not isinstance(right.value, str):
        raise InvalidInput("a text cannot be compared with a number", hint='write bound == "memory"')
    known = left.texts or right.texts
    if known and "*" not in known and right.value not in known:
        raise InvalidInput(
            f"'{right.value}' is not one of {', '.join(known)}",
            hint=f"did you mean '{nearest(right.value, known)}'?",
        )
    holds = (left.value == right.value) == (relation == "==")
    return Judged(
        status=Status.PASSED if holds else Status.FAILED,
        measured=left.value,
        limit=right.value,
        relation=relation,
    )


def _numbers(left: Value, relation: str, right: Value, tolerance_pct: float) -> Judged:
    if left.value is None or right.value is None:
        return Judged(status=Status.MISSING, unit=left.unit.text, relation=relation, note=left.reason or right.reason)
    measured, limit = float(left.value), float(right.value)
    if math.isclose(measured, limit, rel_tol=ROUNDING):
        measured = limit
    strict = _RELATIONS[relation](measured, limit)
    holds = strict or _within(measured, relation, limit, tolerance_pct)
    return Judged(
        status=Status.PASSED if holds else Status.FAILED,
        measured=measured,
        limit=limit,
        unit=left.unit.text,
        relation=relation,
        note=f"within the tolerance of {tolerance_pct:g}%" if holds and not strict else "",
    )


def _within(measured: float, relation: str, limit: float, tolerance_pct: float) -> bool:
    """The limit moved by the tolerance in the direction that lets more pass; a limit of zero stays zero."""
    slack = abs(limit) * tolerance_pct / 100.0
    if relation in ("<", "<="):
        return _RELATIONS[relation](measured, limit + slack) if slack else False
    if relation in (">", ">="):
        return _RELATIONS[relation](measured, limit - slack) if slack else False
    return relation == "==" and abs(measured - limit) <= slack
