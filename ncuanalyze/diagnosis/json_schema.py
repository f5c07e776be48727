"""The JSON schema of a document, made from its dataclasses."""

from __future__ import annotations

import types
import typing
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from typing import Any

DIALECT = "https://json-schema.org/draft/2020-12/schema"
_SCALARS = {str: "string", float: "number", int: "integer", bool: "boolean"}


def json_schema(kind: type, name: str, elsewhere: Mapping[type, str] | None = None) -> dict[str, Any]:
    """The schema of what ``to_dict`` makes of ``kind``; ``name`` is the value of its ``schema`` field.

    Readers ignore unknown fields, so the schema allows them; a field without a default is required.
    ``elsewhere`` names dataclasses that another schema describes, each with a word on where.
    """
    definitions: dict[str, Any] = {
        other.__name__: {"type": "object", "description": where} for other, where in (elsewhere or {}).items()
    }
    top = _object(kind, definitions)
    top["properties"]["schema"] = {"const": name}
    return {"$schema": DIALECT, "title": name, "description": _summary(kind), **top, "$defs": definitions}


def _object(kind: type, definitions: dict[str, Any]) -> dict[str, Any]:
    hints = typing.get_type_hints(kind)
    required = [item.name for item in fields(kind) if item.default is MISSING and item.default_factory is MISSING]
    properties = {item.name: _of(hints[item.name], definitions) for item in fields(kind)}
    return {"type": "object", "properties": properties, "required": required}


def _of(kind: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin in (types.UnionType, typing.Union):
        return {"anyOf": [_of(item, definitions) for item in arguments]}
    if origin is tuple:
        return _array(arguments, definitions)
    if origin is dict:
        return {"type": "object", "additionalProperties": _of(arguments[1], definitions)}
    if kind is types.NoneType:
        return {"type": "null"}
    if isinstance(kind, type) and is_dataclass(kind):
        return _reference(kind, definitions)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return {"enum": [item.value for item in kind]}
    return {"type": _SCALARS[kind]}


def _array(arguments: tuple[Any, ...], definitions: dict[str, Any]) -> dict[str, Any]:
    if len(arguments) == 2 and arguments[1] is Ellipsis:
        return {"type": "array", "items": _of(arguments[0], definitions)}
    items = [_of(item, definitions) for item in arguments]
    return {"type": "array", "prefixItems": items, "minItems": len(items), "maxItems": len(items)}


def _reference(kind: type, definitions: dict[str, Any]) -> dict[str, Any]:
    if kind.__name__ not in definitions:
        definitions[kind.__name__] = {}
        definitions[kind.__name__] = {"description": _summary(kind), **_object(kind, definitions)}
    return {"$ref": f"#/$defs/{kind.__name__}"}


def _summary(kind: type) -> str:
    return " ".join((kind.__doc__ or "").split())
