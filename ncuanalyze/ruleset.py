"""Find the rules and their thresholds: the shipped ones, and a user's own folder or file."""

from __future__ import annotations

import importlib
import importlib.util
import math
import pkgutil
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

from ncuanalyze.errors import RuleSetError
from ncuanalyze.record import record
from ncuanalyze.rule import Limits, Outcome, Reading, Rule


@record
class Threshold:
    """A number that decides, with its unit and where it comes from. ``overridden``: set in place of the shipped one."""

    value: float
    unit: str
    source: str
    overridden: bool = False


@record
class RuleSet:
    """The rules in id order and the thresholds of each: rule id -> name -> threshold."""

    rules: tuple[Rule, ...]
    thresholds: Mapping[str, Mapping[str, Threshold]]

    def limits(self, rule_id: str) -> dict[str, float]:
        """The thresholds of one rule (or of ``engine``) as plain numbers."""
        return {name: threshold.value for name, threshold in self.thresholds.get(rule_id, {}).items()}


KINDS = ("cause", "verdict")
NOT_RULES = ("engine", "report")
"""Tables of ``thresholds.toml`` that belong to no rule."""


def load_rules(folder: Path | None = None, thresholds: Path | None = None) -> RuleSet:
    """The shipped rules, with a user's folder of rules added and a user's thresholds laid over."""
    rules = _shipped()
    table = _tables(tomllib.loads(_shipped_thresholds()), "thresholds.toml")
    if folder is not None:
        rules += _from_folder(folder)
        own = folder / "thresholds.toml"
        if own.is_file():
            table = _overlay(table, _parse(_read(own), str(own)))
    if thresholds is not None:
        table = _overlay(table, _parse(_read(thresholds), str(thresholds), table))
    return _checked(rules, table)


def _shipped() -> list[Rule]:
    package = importlib.import_module("ncuanalyze.rules")
    names = sorted(entry.name for entry in pkgutil.iter_modules(package.__path__) if entry.name[0] != "_")
    return [_rule_of(importlib.import_module(f"ncuanalyze.rules.{name}")) for name in names]


def _shipped_thresholds() -> str:
    package = importlib.import_module("ncuanalyze.rules")
    return Path(package.__path__[0], "thresholds.toml").read_text(encoding="utf-8")


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise RuleSetError(f"cannot read {path}: {error}", hint="give a readable TOML file") from error


def _rule_of(module: ModuleType) -> Rule:
    rule = getattr(module, "RULE", None)
    if not isinstance(rule, Rule):
        raise RuleSetError(
            f"{module.__name__} has no RULE",
            hint="a rule module ends with RULE = Rule(...); see rules/README.md",
        )
    return replace(rule, doc=module.__doc__ or "")


def _from_folder(folder: Path) -> list[Rule]:
    if not folder.is_dir():
        raise RuleSetError(f"{folder} is not a folder of rules", hint="--rules takes a folder with *.py files")
    return [_from_file(path) for path in sorted(folder.glob("*.py")) if path.name[0] != "_"]


def _from_file(path: Path) -> Rule:
    """The rule of a user's file; one that does not import becomes a rule that says so, and costs no report."""
    spec = importlib.util.spec_from_file_location(f"ncuanalyze_user_rule_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise RuleSetError(f"cannot import {path}", hint="a rule is a Python file")
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        return _broken(path, error)
    return _rule_of(module)


def _broken(path: Path, error: BaseException) -> Rule:
    said = f"{path.name} does not import: {type(error).__name__}: {error}"

    def check(kernel: Reading, limits: Limits) -> Outcome:
        raise RuleSetError(said, hint="run it alone with python")

    return Rule(id=path.stem, title=f"Rule {path.stem}", check=check)


Table = dict[str, dict[str, Threshold]]


def _parse(text: str, name: str, base: Mapping[str, Mapping[str, Threshold]] | None = None) -> Table:
    from ncuanalyze import toml_text

    try:
        data = toml_text.loads(text)
    except (ValueError, RecursionError) as error:
        raise RuleSetError(f"{name} is not valid TOML: {error}", hint="see rules/thresholds.toml") from error
    return _tables(data, name, base)


def _tables(data: Mapping[str, Any], name: str, base: Mapping[str, Mapping[str, Threshold]] | None = None) -> Table:
    return {rule: _parse_rule(rule, entries, name, base) for rule, entries in data.items()}


def _parse_rule(
    rule: str, entries: Any, name: str, base: Mapping[str, Mapping[str, Threshold]] | None
) -> dict[str, Threshold]:
    if not isinstance(entries, dict):
        raise RuleSetError(f"{name}: [{rule}] is not a table", hint="write [rule.threshold] tables")
    return {key: _threshold(rule, key, entry, name, base) for key, entry in entries.items()}


def _threshold(
    rule: str, key: str, entry: Any, name: str, base: Mapping[str, Mapping[str, Threshold]] | None
) -> Threshold:
    known = (base or {}).get(rule, {}).get(key)
    if base is not None and known is None:
        raise RuleSetError(
            f"{name}: unknown threshold {rule}.{key}",
            hint="`ncuanalyze rules RULE` lists a rule's thresholds",
        )
    value = entry.get("value") if isinstance(entry, dict) else entry
    number = _finite(value)
    if number is None:
        raise RuleSetError(f"{name}: {rule}.{key} has no number", hint="write value = 12.5")
    fields = entry if isinstance(entry, dict) else {}
    unit = str(fields.get("unit", known.unit if known else ""))
    source = str(fields.get("source", f"set in {name}" if known else ""))
    if not source:
        raise RuleSetError(f"{name}: {rule}.{key} has no source", hint='add source = "where it comes from"')
    return Threshold(value=number, unit=unit, source=source)


def _finite(value: object) -> float | None:
    """The number, unless it is none, not finite or beyond what a float holds."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def _overlay(base: Table, top: Table) -> Table:
    """The thresholds of ``base`` with those of ``top`` laid over; one that takes another's place says so."""
    merged = {rule: dict(entries) for rule, entries in base.items()}
    for rule, entries in top.items():
        for key, entry in entries.items():
            place = merged.setdefault(rule, {})
            place[key] = replace(entry, overridden=key in place)
    return merged


def _checked(rules: list[Rule], table: Table) -> RuleSet:
    ids = [rule.id for rule in rules]
    twice = sorted({rule_id for rule_id in ids if ids.count(rule_id) > 1})
    if twice:
        raise RuleSetError(f"two rules are called {twice[0]}", hint="give your rule an id of its own")
    for rule in rules:
        if rule.kind not in KINDS or rule.id in NOT_RULES:
            raise RuleSetError(
                f"rule {rule.id} of kind {rule.kind} cannot be run",
                hint=f"kinds are {' and '.join(KINDS)}; the ids {' and '.join(NOT_RULES)} are taken",
            )
        lost = [name for name in rule.limits if name not in table.get(rule.id, {})]
        if lost:
            raise RuleSetError(
                f"rule {rule.id} declares the threshold {lost[0]}, which no file defines",
                hint=f"add [{rule.id}.{lost[0]}] with value, unit and source to thresholds.toml",
            )
    return RuleSet(rules=tuple(sorted(rules, key=lambda rule: rule.id)), thresholds=table)
