"""Budgets as written in TOML: which kernels, and what must hold for them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ncuanalyze import toml_text
from ncuanalyze.compare.names import stem
from ncuanalyze.diagnosis import Kernel
from ncuanalyze.errors import InvalidInput, NcuAnalyzeError
from ncuanalyze.gate.expression import Assertion
from ncuanalyze.gate.nearest import nearest
from ncuanalyze.gate.parser import parse
from ncuanalyze.pattern import glob

SCHEMA = "ncuanalyze.budget/1"
_TOP = ("schema", "gpu", "tolerance_pct", "advisory", "budget")
_ENTRY = ("kernel", "nvtx", "assert", "tolerance_pct", "advisory", "optional")


@dataclass(frozen=True, kw_only=True)
class Stated:
    """One assertion with the text it was written as."""

    text: str
    assertion: Assertion


@dataclass(frozen=True, kw_only=True)
class Budget:
    """Assertions on every kernel that ``kernel`` (a glob over names) and ``nvtx`` pick.

    ``advisory``: a failure is told but does not fail the gate. ``optional``: matching no kernel is no
    failure.
    """

    kernel: str
    assertions: tuple[Stated, ...]
    nvtx: str = ""
    tolerance_pct: float = 0.0
    advisory: bool = False
    optional: bool = False

    def picks(self, kernel: Kernel) -> bool:
        """Whether the budget is about this kernel: by its name, its function's name or its full name."""
        names = (kernel.name, stem(kernel.demangled or kernel.name), kernel.demangled)
        named = any(name == self.kernel or glob(self.kernel).finds(name) for name in names)
        return named and (not self.nvtx or any(glob(self.nvtx).finds(part) for part in kernel.nvtx))


@dataclass(frozen=True, kw_only=True)
class BudgetFile:
    """A budget file; ``gpu`` (a glob) is the GPU it was made for, empty for any."""

    name: str
    budgets: tuple[Budget, ...]
    gpu: str = ""


def read_budget(path: Path) -> BudgetFile:
    """Read a budget file. Raises InvalidInput with the place of the mistake."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"cannot read the budget {path.name}: {error}", hint="check the path") from error
    return parse_budget(text, path.name)


def parse_budget(text: str, name: str = "budget") -> BudgetFile:
    """A budget from its TOML text."""
    try:
        data = toml_text.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"{name} is no TOML: {error}", hint="ncuanalyze check REPORT --write makes one") from error
    _only(data, _TOP, name)
    if data.get("schema", SCHEMA) != SCHEMA:
        raise InvalidInput(f'{name} has schema "{data["schema"]}"', hint=f'this version reads "{SCHEMA}"')
    entries = data.get("budget", [])
    if not isinstance(entries, list) or not entries:
        raise InvalidInput(f"{name} has no [[budget]]", hint="add one with kernel = ... and assert = [...]")
    return BudgetFile(
        name=name,
        budgets=tuple(_entry(item, data, f"{name}, budget {place}") for place, item in enumerate(entries, 1)),
        gpu=_typed(data, "gpu", str, "", name),
    )


def _entry(item: Any, top: Mapping[str, Any], where: str) -> Budget:
    if not isinstance(item, Mapping):
        raise InvalidInput(f"{where} is no table", hint="write [[budget]]")
    _only(item, _ENTRY, where)
    kernel = _typed(item, "kernel", str, "*", where)
    return Budget(
        kernel=kernel,
        assertions=_assertions(item.get("assert"), f"{where} ({kernel})"),
        nvtx=_typed(item, "nvtx", str, "", where),
        tolerance_pct=_tolerance({**top, **item}, where),
        advisory=_typed({**top, **item}, "advisory", bool, False, where),
        optional=_typed(item, "optional", bool, False, where),
    )


def _assertions(texts: Any, where: str) -> tuple[Stated, ...]:
    if isinstance(texts, str):
        texts = [texts]
    if not isinstance(texts, list) or not texts or not all(isinstance(text, str) for text in texts):
        raise InvalidInput(f"{where} asserts nothing", hint='add assert = ["duration_us < 200"]')
    return tuple(Stated(text=_one_line(text), assertion=_parsed(text, where)) for text in texts)


def _parsed(text: str, where: str) -> Assertion:
    try:
        return parse(text)
    except NcuAnalyzeError as error:
        raise InvalidInput(f"{where}: {error}", hint=error.hint) from error


def _one_line(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


def _tolerance(item: Mapping[str, Any], where: str) -> float:
    tolerance = item.get("tolerance_pct", 0.0)
    if isinstance(tolerance, bool) or not isinstance(tolerance, int | float) or not 0 <= tolerance < 1000:
        raise InvalidInput(f"{where}: tolerance_pct = {tolerance!r} is no percentage", hint="write tolerance_pct = 2")
    return float(tolerance)


def _typed(item: Mapping[str, Any], key: str, kind: type, default: Any, where: str) -> Any:
    value = item.get(key, default)
    if not isinstance(value, kind):
        raise InvalidInput(f"{where}: {key} = {value!r} is no {kind.__name__}", hint=f"give {key} as {kind.__name__}")
    return value


def _only(item: Mapping[str, Any], keys: tuple[str, ...], where: str) -> None:
    for key in item:
        if key not in keys:
            raise InvalidInput(f"{where}: unknown key '{key}'", hint=f"did you mean '{nearest(key, keys)}'?")
