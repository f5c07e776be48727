"""Records as lines of JSON: a line that is cut or damaged counts as missing."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any, TypeVar

T = TypeVar("T")


def to_line(record: Any) -> str:
    """One record as a line."""
    return json.dumps({item.name: getattr(record, item.name) for item in fields(record)}, separators=(",", ":")) + "\n"


def read_records(file: Path, kind: type[T]) -> Iterator[T]:
    """Every whole line that holds a record of this kind; a line that was cut when a run was killed is passed over."""
    if not file.is_file():
        return
    names = [item.name for item in fields(kind)]  # type: ignore[arg-type]
    with file.open(encoding="utf-8") as lines:
        for line in lines:
            try:
                known = json.loads(line)
                yield kind(**{name: known[name] for name in names})
            except (ValueError, KeyError, TypeError):
                continue


def write_whole(file: Path, lines: Iterable[str]) -> None:
    """Write a text file in one step: a reader sees the old file or the new one."""
    written = file.with_name(f"{file.name}.new")
    with written.open("w", encoding="utf-8", newline="\n") as out:
        out.writelines(lines)
    written.replace(file)
