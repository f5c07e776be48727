"""The JSON schema of a saved diagnosis, made from the records themselves."""

from __future__ import annotations

import inspect
import types
import typing
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from typing import Any

from ncuanalyze.diagnosis.document import SCHEMA, Diagnosis

_PLAIN = {str: "string", float: "number", int: "integer", bool: "boolean"}


def json_schema() -> dict[str, Any]:
    """Draft 2020-12; ``$defs`` holds one object a record, described by its docstring."""
    definitions: dict[str, Any] = {}
    top = _reference(Diagnosis, definitions)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": SCHEMA,
        **top,
        "$defs": dict(sorted(definitions.items())),
    }


def _reference(kind: type[Any], definitions: dict[str, Any]) -> dict[str, Any]:
    if kind.__name__ not in definitions:
        definitions[kind.__name__] = {}
        definitions[kind.__name__] = _object(kind, definitions)
    return {"$ref": f"#/$defs/{kind.__name__}"}


def _object(kind: type[Any], definitions: dict[str, Any]) -> dict[str, Any]:
    hints = typing.get_type_hints(kind)
    known = fields(kind)
    return {
        "type": "object",
        "description": " ".join((inspect.getdoc(kind) or "").split()),
        "properties": {item.name: _type(hints[item.name], definitions) for item in known},
        "required": [item.name for item in known if item.default is MISSING and item.default_factory is MISSING],
    }


def _type(kind: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin in (types.UnionType, typing.Union):
        return {"anyOf": [_type(item, definitions) for item in arguments]}
    if kind is types.NoneType:
        return {"type": "null"}
    if origin is tuple:
        return _array(arguments, definitions)
    if origin is dict:
        return {"type": "object", "additionalProperties": _type(arguments[1], definitions)}
    if is_dataclass(kind):
        return _reference(typing.cast(type[Any], kind), definitions)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return {"enum": [item.value for item in kind]}
    return {"type": _PLAIN[kind]}


def _array(arguments: tuple[Any, ...], definitions: dict[str, Any]) -> dict[str, Any]:
    if arguments[-1] is Ellipsis:
        return {"type": "array", "items": _type(arguments[0], definitions)}
    items = [_type(item, definitions) for item in arguments]
    return {"type": "array", "prefixItems": items, "minItems": len(items), "maxItems": len(items)}
