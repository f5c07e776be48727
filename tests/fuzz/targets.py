"""What hostile input reaches, one function a kind of file: each returns, or raises an error of ours with a hint."""

from __future__ import annotations

import json
import math
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from ncuanalyze.compare import comparison_from_dict
from ncuanalyze.diagnose import Options, diagnose
from ncuanalyze.diagnosis import Diagnosis, from_dict, to_dict
from ncuanalyze.errors import NcuAnalyzeError
from ncuanalyze.gate import check, parse_budget, propose
from ncuanalyze.load.entry import load
from ncuanalyze.load.text import decode
from ncuanalyze.load.text_report import read_text
from ncuanalyze.render import FORMATS, render
from ncuanalyze.render.comparison import COMPARISON_FORMATS, render_comparison
from ncuanalyze.ruleset import load_rules
from ncuanalyze.section_lint import check_text

Target = Callable[[bytes], None]


def report_text(data: bytes) -> None:
    """CSV of any page, console text, a log: read, diagnosed and drawn in every format."""
    text = decode(data)
    if text is not None:
        every_output(diagnose(read_text(text, "report.csv"), options=Options(hotspots=True, all_metrics=True)))


def packed_report(data: bytes) -> None:
    """A file of any kind, packed or not, by the way a user's file takes."""
    with tempfile.NamedTemporaryFile(suffix=".ncu-rep") as file:
        file.write(data)
        file.flush()
        load(file.name)


def saved_diagnosis(data: bytes) -> None:
    """A diagnosis saved as JSON: read and drawn in every format."""
    if (document := _json(data)) is not None:
        every_output(from_dict(document))


def saved_comparison(data: bytes) -> None:
    """A comparison saved as JSON: read and drawn in every format."""
    if (document := _json(data)) is not None:
        comparison = comparison_from_dict(document)
        for form in COMPARISON_FORMATS:
            render_comparison(comparison, form)


def _json(data: bytes) -> Any:
    """The document, or None: what is no JSON is no saved document, which the command tells by itself."""
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None


def thresholds(data: bytes) -> None:
    """A user's thresholds."""
    with tempfile.NamedTemporaryFile(suffix=".toml") as file:
        file.write(data)
        file.flush()
        for table in load_rules(thresholds=Path(file.name)).thresholds.values():
            assert all(math.isfinite(threshold.value) for threshold in table.values())


def budget(data: bytes, diagnosis: Diagnosis | None = None) -> None:
    """A budget, checked against a report."""
    text = decode(data)
    if text is not None:
        parsed = parse_budget(text)
        if diagnosis is not None:
            check(diagnosis, parsed)


def section(data: bytes) -> None:
    """A section file."""
    text = decode(data)
    if text is not None:
        check_text(text, ("gh100",))


TARGETS: Mapping[str, Target] = {
    target.__name__: target
    for target in (report_text, packed_report, saved_diagnosis, saved_comparison, thresholds, budget, section)
}


def survives(target: Target, data: bytes) -> None:
    """Run a target; an error of ours is fine as long as it says what to do next."""
    try:
        target(data)
    except NcuAnalyzeError as error:
        assert str(error).strip()
        assert error.hint or type(error).__name__ == "SectionSyntaxError"
        assert "\x1b" not in f"{error}{error.hint}"


def every_output(diagnosis: Diagnosis) -> dict[str, str]:
    """The diagnosis in every format; JSON without NaN, and the same diagnosis when read back."""
    texts = {form: render(diagnosis, form) for form in FORMATS}
    for form in ("json", "sarif"):
        json.loads(texts[form], parse_constant=_no_nan)
    saved: Any = json.loads(texts["json"])
    assert to_dict(from_dict(saved)) == to_dict(diagnosis)
    for text in texts.values():
        text.encode("utf-8")
    parse_budget(propose(diagnosis))
    return texts


def _no_nan(word: str) -> None:
    raise AssertionError(f"{word} is no JSON")
