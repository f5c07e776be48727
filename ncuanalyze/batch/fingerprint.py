"""Tells versions of the judgement apart: an outcome of another one is not reused."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib import metadata
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from ncuanalyze.version import __version__

_DECIDES = (".py", ".toml")
_PARTS = ("", "load", "analysis", "diagnosis", "specs", "rules")


def fingerprint(rules_folder: Path | None = None, thresholds: Path | None = None) -> str:
    """A hash of the code, the data and the user's own rules that a diagnosis depends on."""
    digest = hashlib.sha256(_own().encode())
    chosen = sorted(rules_folder.iterdir()) if rules_folder is not None and rules_folder.is_dir() else []
    for file in [*chosen, *([thresholds] if thresholds is not None else [])]:
        if file.is_file() and file.suffix in _DECIDES:
            digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()[:16]


@cache
def _own() -> str:
    digest = hashlib.sha256(f"{__version__} {_reader_version()}".encode())
    for part in _PARTS:
        folder = files(f"ncuanalyze.{part}".rstrip("."))
        for entry in sorted(_deciding(folder), key=lambda entry: entry.name):
            digest.update(f"{part}/{entry.name}\n".encode())
            digest.update(hashlib.sha256(entry.read_bytes()).digest())
    return digest.hexdigest()


def _deciding(folder: Traversable) -> list[Traversable]:
    return [entry for entry in folder.iterdir() if entry.is_file() and entry.name.endswith(_DECIDES)]


def _reader_version() -> str:
    try:
        return metadata.version("ncu-report")
    except metadata.PackageNotFoundError:
        return ""
