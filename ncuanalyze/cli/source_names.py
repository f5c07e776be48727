"""Source files named as the repository names them, so that annotations and SARIF land on its lines."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from functools import cache
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any, TypeVar, cast

from ncuanalyze.diagnosis import HotLine, SourceLine
from ncuanalyze.errors import InvalidInput

Document = TypeVar("Document")
Rename = Callable[[str], str]


def named_from(root: Path, document: Document) -> Document:
    """The diagnosis, comparison or check with the files of its source lines relative to ``root``.

    A compile-time path is matched by its longest tail that is a file below the root; others stay as they are.
    Nothing is read: only the existence of files below the root is asked.
    """
    if not root.is_dir():
        raise InvalidInput(f"--source-root {root} is no folder", hint="give the root of the repository")
    return cast(Document, _renamed(document, _namer(root.resolve())))


def _namer(root: Path) -> Rename:
    @cache
    def name(file: str) -> str:
        parts = [part for part in _parts(file) if part not in ("", ".", "/")]
        if not parts or ".." in parts:
            return file
        for start in range(len(parts)):
            tail = PurePosixPath(*parts[start:])
            if _is_below(root, tail):
                return str(tail)
        return file

    return name


def _parts(file: str) -> tuple[str, ...]:
    windows = "\\" in file
    return PureWindowsPath(file).parts if windows else PurePosixPath(file).parts


def _is_below(root: Path, tail: PurePosixPath) -> bool:
    try:
        found = (root / tail).resolve()
        return found.is_file() and found.is_relative_to(root)
    except (OSError, ValueError):
        return False


def _renamed(value: Any, name: Rename) -> Any:
    if isinstance(value, SourceLine | HotLine):
        return replace(value, file=name(value.file))
    if isinstance(value, tuple):
        items = tuple(_renamed(item, name) for item in value)
        return items if any(new is not old for new, old in zip(items, value, strict=True)) else value
    if is_dataclass(value) and not isinstance(value, type):
        changed = {
            item.name: new
            for item in fields(value)
            if (new := _renamed(getattr(value, item.name), name)) is not getattr(value, item.name)
        }
        return replace(value, **changed) if changed else value
    return value
