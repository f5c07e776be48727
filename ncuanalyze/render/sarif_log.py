"""SARIF 2.1.0 (OASIS): results with rules, places and stable fingerprints, as code scanning reads them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any
from urllib.parse import quote

from ncuanalyze.diagnosis import SourceLine
from ncuanalyze.render.json_text import json_text
from ncuanalyze.render.names import safe_text

SCHEMA_URI = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
SOURCE_ROOT = "%SRCROOT%"
MOST_RESULTS = 5000
"""Code scanning shows this many results of one run (GitHub's SARIF support page)."""
MOST_PLACES = 10
_LEVELS = ("error", "warning", "note")
_BRACKET = re.compile(r"([\[\]\\])")
_DRIVE = re.compile(r"^[A-Za-z]:/")


@dataclass(frozen=True, kw_only=True)
class Rule:
    """What kind of result it is, once for all results of it."""

    id: str
    title: str
    help: str = ""


@dataclass(frozen=True, kw_only=True)
class Result:
    """One result. ``artifact`` is the file it is about where no source line is known; ``key`` keeps it apart."""

    rule: Rule
    level: str
    message: str
    kernel: str
    artifact: str
    key: str = ""
    lines: tuple[SourceLine, ...] = ()
    rank: float | None = None
    properties: tuple[tuple[str, float | str], ...] = ()


def sarif_log(results: Iterable[Result], tool: str, *, category: str, notes: Sequence[str] = ()) -> str:
    """The log of one run as JSON text; ``notes`` become the tool's own notifications.

    ``category`` keeps runs of several kinds apart where they are uploaded together.
    """
    ordered = sorted(results, key=lambda item: _LEVELS.index(item.level))[:MOST_RESULTS]
    rules = list({item.rule.id: item.rule for item in ordered}.values())
    places = {rule.id: place for place, rule in enumerate(rules)}
    run = {
        "tool": {"driver": _driver(tool, rules)},
        "automationDetails": {"id": f"ncuanalyze/{category}/"},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {SOURCE_ROOT: {"description": {"text": "The root of the repository."}}},
        "invocations": [{"executionSuccessful": True, "toolExecutionNotifications": [_note(text) for text in notes]}],
        "results": [_result(item, places[item.rule.id]) for item in ordered],
    }
    log = {"$schema": SCHEMA_URI, "version": "2.1.0", "runs": [run]}
    return json_text(log)


def artifact_location(file: str) -> dict[str, Any]:
    """A file as a URI: relative ones below the source root, absolute ones as ``file:``."""
    path = safe_text(file).replace("\\", "/")
    if _DRIVE.match(path):
        return {"uri": f"file:///{quote(path, safe='/:')}"}
    if path.startswith("/"):
        return {"uri": f"file://{quote(path)}"}
    return {"uri": quote(path) or "report", "uriBaseId": SOURCE_ROOT}


def _driver(tool: str, rules: Sequence[Rule]) -> dict[str, Any]:
    name, _, version = tool.partition(" ")
    driver: dict[str, Any] = {"name": name or "ncuanalyze", "rules": [_rule(rule) for rule in rules]}
    return driver | ({"version": version} if version else {})


def _rule(rule: Rule) -> dict[str, Any]:
    described = {"id": rule.id, "name": rule.id, "shortDescription": {"text": _text(rule.title)}}
    return described | ({"help": {"text": _text(rule.help)}} if rule.help else {})


def _note(text: str) -> dict[str, Any]:
    return {"level": "warning", "message": {"text": _text(text)}}


def _result(item: Result, place: int) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": item.rule.id,
        "ruleIndex": place,
        "level": item.level,
        "message": {"text": _text(item.message)},
        "locations": [_location(item, line) for line in item.lines[:MOST_PLACES]] or [_location(item, None)],
        "partialFingerprints": {"ncuanalyze/v1": _fingerprint(item)},
    }
    if item.rank is not None:
        result["rank"] = max(0.0, min(100.0, round(item.rank, 2)))
    return result | ({"properties": dict(item.properties)} if item.properties else {})


def _location(item: Result, line: SourceLine | None) -> dict[str, Any]:
    physical: dict[str, Any] = {"artifactLocation": artifact_location(line.file if line else item.artifact)}
    if line is None:
        physical["region"] = {"startLine": 1}
    elif line.line > 0:
        physical["region"] = {"startLine": line.line}
    location: dict[str, Any] = {"physicalLocation": physical}
    if item.kernel:
        kernel = {"fullyQualifiedName": safe_text(item.kernel), "kind": "function"}
        location["logicalLocations"] = [kernel]
    return location


def _fingerprint(item: Result) -> str:
    """Stable while the same cause holds the same kernel: neither numbers nor line numbers take part."""
    where = (item.lines[0].file, item.lines[0].text.strip()) if item.lines else ("", "")
    return sha256("\0".join((item.rule.id, item.kernel, item.key, *where)).encode()).hexdigest()[:32]


def _text(text: str) -> str:
    """A plain-text message: brackets escaped, since SARIF reads links in them."""
    return _BRACKET.sub(r"\\\1", safe_text(text, keep_lines=True))
