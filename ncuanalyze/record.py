"""Frozen, keyword-only dataclasses whose methods are shared instead of generated.

``dataclasses`` compiles six methods for each class, about 1 ms a class; a command that reads one report defines some
seventy. A record is a real dataclass (``fields``, ``replace`` and ``asdict`` work) that compiles nothing.
"""

from __future__ import annotations

from dataclasses import MISSING, FrozenInstanceError, dataclass, field, fields
from typing import Any, TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(field,))
def record(cls: type[T]) -> type[T]:
    """Make a class a frozen, keyword-only dataclass. Values are compared and hashed field by field."""
    made = dataclass(init=False, repr=False, eq=False, kw_only=True)(cls)
    for name, method in _METHODS.items():
        if name not in cls.__dict__:
            setattr(made, name, method)
    return made


class _Shape:
    """The field names, default values and default factories of one record class."""

    def __init__(self, cls: type[Any]) -> None:
        known = fields(cls)
        self.names = tuple(item.name for item in known)
        self.expected = frozenset(self.names)
        self.defaults = {item.name: item.default for item in known if item.default is not MISSING}
        self.factories = {item.name: item.default_factory for item in known if item.default_factory is not MISSING}


_SHAPES: dict[type[Any], _Shape] = {}


def _shape(cls: type[Any]) -> _Shape:
    found = _SHAPES.get(cls)
    if found is None:
        found = _SHAPES[cls] = _Shape(cls)
    return found


def _init(self: Any, **values: Any) -> None:
    shape, own = _shape(type(self)), self.__dict__
    if values.keys() == shape.expected:
        own.update(values)
        return
    own.update(shape.defaults)
    for name, make in shape.factories.items():
        if name not in values:
            own[name] = make()
    own.update(values)
    if own.keys() != shape.expected:
        unknown = [name for name in values if name not in shape.names]
        missing = [name for name in shape.names if name not in own]
        raise TypeError(f"{type(self).__name__}: {_complaint(unknown, missing)}")


def _complaint(unknown: list[str], missing: list[str]) -> str:
    said = [f"unknown {', '.join(unknown)}"] if unknown else []
    return "; ".join([*said, f"missing {', '.join(missing)}"] if missing else said)


def _key(self: Any) -> tuple[Any, ...]:
    own = self.__dict__
    return tuple(own[name] for name in _shape(type(self)).names)


def _eq(self: Any, other: object) -> bool:
    return _key(self) == _key(other) if type(other) is type(self) else NotImplemented


def _hash(self: Any) -> int:
    return hash(_key(self))


def _repr(self: Any) -> str:
    shown = ", ".join(f"{name}={value!r}" for name, value in zip(_shape(type(self)).names, _key(self), strict=True))
    return f"{type(self).__qualname__}({shown})"


def _set(self: Any, name: str, value: Any) -> None:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _delete(self: Any, name: str) -> None:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


_METHODS = {
    "__init__": _init,
    "__eq__": _eq,
    "__hash__": _hash,
    "__repr__": _repr,
    "__setattr__": _set,
    "__delattr__": _delete,
}
