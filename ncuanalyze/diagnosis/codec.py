"""A diagnosis to plain JSON values and back, by its dataclasses' own fields."""

from __future__ import annotations

import math
import types
import typing
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from functools import cache
from typing import Any

from ncuanalyze.diagnosis.document import SCHEMA, Diagnosis
from ncuanalyze.errors import UnreadableReport
from ncuanalyze.units import LARGEST

_LONGEST_TEXT = 1 << 20  # what is read from a report has 65,536 characters at most


def to_dict(value: Any) -> Any:
    """Plain dicts, lists, texts and numbers, in field order. A non-finite number becomes None (JSON has no NaN)."""
    if is_dataclass(value) and not isinstance(value, type):
        return {name: to_dict(getattr(value, name)) for name in _field_names(type(value))}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Mapping):
        return {str(key): to_dict(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [to_dict(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def from_dict(data: Any) -> Diagnosis:
    """The diagnosis that ``to_dict`` gave. Unknown fields are ignored; a wrong shape is ``UnreadableReport``.

    A record with a method ``check`` has it called; its ValueError is a wrong shape too.
    """
    return typing.cast(Diagnosis, document_from_dict(Diagnosis, SCHEMA, data, what="diagnosis"))


def document_from_dict(kind: type, schema: str, data: Any, *, what: str) -> Any:
    """Any versioned document that ``to_dict`` gave, as its dataclass; errors as ``from_dict``."""
    if not isinstance(data, Mapping) or data.get("schema") != schema:
        raise UnreadableReport(f"this JSON is not a saved {what}", hint=f'expected "schema": "{schema}" at the top')
    try:
        return _build(kind, data)
    except (TypeError, ValueError, KeyError, AttributeError) as error:
        raise UnreadableReport(
            f"the saved {what} is damaged: {error}", hint="write it again with --format json"
        ) from error


@cache
def _field_names(kind: type) -> tuple[str, ...]:
    return tuple(item.name for item in fields(kind))


@cache
def _field_types(kind: type) -> dict[str, Any]:
    return typing.get_type_hints(kind)


def _build(kind: Any, data: Any) -> Any:
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin in (types.UnionType, typing.Union):
        return _build_union(arguments, data)
    if origin is tuple:
        return _build_tuple(arguments, data)
    if origin is dict:
        return {key: _build(arguments[1], item) for key, item in data.items()}
    if is_dataclass(kind):
        return _build_dataclass(typing.cast(type, kind), data)
    return _build_scalar(kind, data)


def _build_union(arguments: tuple[Any, ...], data: Any) -> Any:
    if data is None:
        if types.NoneType in arguments:
            return None
        raise TypeError("a value is missing")
    choices = [item for item in arguments if item is not types.NoneType]
    for choice in choices:
        try:
            return _build(choice, data)
        except (TypeError, ValueError):
            if choice is choices[-1]:
                raise
    raise TypeError("no choice fits")


def _build_tuple(arguments: tuple[Any, ...], data: Any) -> tuple[Any, ...]:
    if not isinstance(data, list):
        raise TypeError(f"a list is expected, not {type(data).__name__}")
    if len(arguments) == 2 and arguments[1] is Ellipsis:
        return tuple(_build(arguments[0], item) for item in data)
    if len(arguments) != len(data):
        raise TypeError(f"{len(arguments)} values are expected, not {len(data)}")
    return tuple(_build(item_kind, item) for item_kind, item in zip(arguments, data, strict=True))


def _build_dataclass(kind: type, data: Any) -> Any:
    if not isinstance(data, Mapping):
        raise TypeError(f"{kind.__name__} is expected, not {type(data).__name__}")
    hints = _field_types(kind)
    known = {name: _build(hints[name], data[name]) for name in _field_names(kind) if name in data}
    lost = [f.name for f in fields(kind) if f.name not in known and f.default is MISSING]
    if lost:
        raise TypeError(f"{kind.__name__} lacks {', '.join(lost)}")
    made = kind(**known)
    if hasattr(made, "check"):
        made.check()
    return made


def _build_scalar(kind: Any, data: Any) -> Any:
    if isinstance(data, int | float) and not abs(data) <= LARGEST:
        raise ValueError("a number is beyond anything measured")
    if isinstance(data, str) and len(data) > _LONGEST_TEXT:
        raise ValueError(f"a text has {len(data):,} characters")
    if kind is float and isinstance(data, int) and not isinstance(data, bool):
        return float(data)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return kind(data)
    if isinstance(kind, type) and not isinstance(data, kind):
        raise TypeError(f"{kind.__name__} is expected, not {type(data).__name__}")
    return data
