"""Records as lines of JSON: a line that is cut, damaged or of another kind counts as missing."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, TypeVar

T = TypeVar("T")
CHECK = "check"
MOST_INTEGER = 2**63 - 1


def to_line(record: Any) -> str:
    """One record as a line, with a check of its values."""
    values = _values(record)
    return _packed(values | {CHECK: _check(values)}) + "\n"


def _values(record: Any) -> dict[str, Any]:
    return {item.name: getattr(record, item.name) for item in fields(record)}


def _check(values: Mapping[str, Any]) -> str:
    """What tells values of a line that were changed on the disk."""
    return hashlib.sha256(_packed(values).encode()).hexdigest()[:16]


def _packed(values: Mapping[str, Any]) -> str:
    return json.dumps(values, separators=(",", ":"))


def read_records(file: Path, kind: type[T]) -> Iterator[T]:
    """Every whole line that holds a record of this kind, whose fields are texts and counts."""
    if not file.is_file():
        return
    with file.open("rb") as lines:
        for line in lines:
            values = from_json(line)
            found = record_of(values, kind)
            if found is not None and values.get(CHECK) == _check(_values(found)):
                yield found


def from_json(text: bytes) -> Any:
    """The value of a JSON text; None for whatever is none, or is nested beyond reason."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def record_of(known: Any, kind: type[T]) -> T | None:
    """The record with the values of a JSON object; None where one is missing or no value of its field."""
    types = {item.name: item.type for item in fields(kind)}  # type: ignore[arg-type]
    if not isinstance(known, dict) or not all(name in known and _is(known[name], types[name]) for name in types):
        return None
    return kind(**{name: known[name] for name in types})


def _is(value: Any, kind: Any) -> bool:
    if kind == "int":
        return type(value) is int and 0 <= value <= MOST_INTEGER
    return kind == "str" and is_text(value)


def is_text(value: Any) -> bool:
    """Whether it is a text that can be written: JSON can spell halves of characters."""
    if not isinstance(value, str):
        return False
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def write_whole(file: Path, lines: Iterable[str]) -> None:
    """Write a text file in one step: a reader sees the old file or the new one."""
    written = file.with_name(f"{file.name}.new")
    with written.open("w", encoding="utf-8", newline="\n") as out:
        out.writelines(lines)
    written.replace(file)
