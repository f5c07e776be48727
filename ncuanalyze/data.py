"""The package's own TOML files, read by path: ``importlib.resources`` alone would cost 10 ms of every start."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).parent


@cache
def table(folder: str, name: str) -> dict[str, Any]:
    """The content of ``ncuanalyze/folder/name.toml``, read once."""
    return tomllib.loads(text(folder, f"{name}.toml"))


def text(folder: str, file: str) -> str:
    """The text of a file of the package."""
    return (PACKAGE / folder / file).read_text(encoding="utf-8")
