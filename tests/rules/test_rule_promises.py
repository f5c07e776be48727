"""What a rule promises in its docstring, its declarations and its file."""

import ast
import re
from pathlib import Path

import ncuanalyze.rules
import pytest
from rule_cases import FOLDER, RULES, cases_of, shipped, tables

from ncuanalyze.analysis.kernel import KernelAnalysis
from ncuanalyze.metrics import MetricRef
from ncuanalyze.profile import Value
from ncuanalyze.rule import Reading, UndeclaredMetric

HEADINGS = ["Why it matters", "When it fires", "When it stays quiet", "What to try"]
NOT_OF_A_RULE = {"engine", "report"}
ALLOWED = {
    "ncuanalyze.metrics",
    "ncuanalyze.diagnosis",
    "ncuanalyze.rule",
    "ncuanalyze.analysis.gain",
    "ncuanalyze.analysis.host",
}
SOURCES = sorted(Path(ncuanalyze.rules.__path__[0]).glob("*.py"))


@pytest.mark.parametrize("rule_id", RULES)
def test_the_docstring_has_the_four_headings_in_order(rule_id: str) -> None:
    doc = RULES[rule_id].doc
    assert re.findall(r"^(\S.*)\n    \S", doc, re.MULTILINE) == HEADINGS
    first = doc.partition("\n")[0]
    assert first.endswith((".", "?"))


@pytest.mark.parametrize("rule_id", RULES)
def test_the_id_is_the_name_of_the_file(rule_id: str) -> None:
    assert rule_id in {path.stem for path in SOURCES}
    assert RULES[rule_id].title[0].isupper()
    assert RULES[rule_id].kind in ("cause", "verdict")


def test_every_threshold_of_the_file_is_declared_by_a_rule_and_the_other_way_round() -> None:
    declared = {rule.id: set(rule.limits) for rule in RULES.values() if rule.limits}
    written = {rule: set(entries) for rule, entries in shipped().thresholds.items()}
    assert {rule: names for rule, names in written.items() if rule not in NOT_OF_A_RULE} == declared


@pytest.mark.parametrize(
    ("rule_id", "name"), [(rule, name) for rule, entries in shipped().thresholds.items() for name in entries]
)
def test_every_threshold_has_a_unit_and_a_source(rule_id: str, name: str) -> None:
    threshold = shipped().thresholds[rule_id][name]
    assert threshold.unit
    assert len(threshold.source.split()) >= 3


@pytest.mark.parametrize("rule_id", RULES)
def test_every_threshold_has_a_case_at_it_or_shapes_the_gain(rule_id: str) -> None:
    tested = {case.at for case in cases_of(rule_id) if case.at} | set(tables(rule_id).get("shapes", ()))
    assert tested == set(RULES[rule_id].limits)


@pytest.mark.parametrize("rule_id", RULES)
def test_it_has_cases_that_fire_and_cases_that_do_not(rule_id: str) -> None:
    outcomes = {case.expect for case in cases_of(rule_id)}
    assert outcomes & {"flagged", "verdict"}
    assert outcomes & {"clear", "not_applicable"}
    names = [case.name for case in cases_of(rule_id)]
    assert len(names) == len(set(names))


def test_every_file_of_cases_belongs_to_a_rule() -> None:
    assert {path.stem for path in FOLDER.glob("*.toml")} == set(RULES)


def imports(path: Path) -> set[str]:
    """The modules that a file imports from this package, relative ones as ``.name``."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            names = [f"ncuanalyze.{alias.name}" for alias in node.names] if module == "ncuanalyze" else [module]
            found.update(name for name in names if name.startswith(("ncuanalyze", ".")))
        elif isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names if alias.name.startswith("ncuanalyze"))
    return found


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_a_rule_imports_only_what_rules_may_read(path: Path) -> None:
    assert {name for name in imports(path) if not name.startswith("._")} <= ALLOWED


class Recorder:
    """The metrics of a launch, with the names that were asked for."""

    def __init__(self, metrics: dict[str, Value | None]) -> None:
        self._metrics = metrics
        self.asked: set[str] = set()

    def names(self) -> tuple[str, ...]:
        return tuple(self._metrics)

    def raw(self, name: str) -> Value | None:
        self.asked.add(name)
        return self._metrics.get(name)

    def unit(self, name: str) -> str:
        return ""

    def instances(self, name: str) -> tuple[()]:
        return ()


def asked_by(rule_id: str) -> set[str]:
    """The names that a rule's check asks for, over all of its cases that have what it requires."""
    from dataclasses import replace

    rule, asked = RULES[rule_id], set()
    for case in cases_of(rule_id):
        if case.expect == "missing":
            continue
        launch = case.launch()
        recorder = Recorder({name: launch.metrics.raw(name) for name in launch.metrics.names()})
        reading = Reading(
            KernelAnalysis(replace(launch, metrics=recorder)), frozenset((*rule.requires, *rule.optional))
        )
        rule.check(reading, shipped().limits(rule_id))
        asked |= recorder.asked
    return asked


@pytest.mark.parametrize("rule_id", RULES)
def test_every_declared_metric_is_read(rule_id: str) -> None:
    asked = asked_by(rule_id)
    declared = (*RULES[rule_id].requires, *RULES[rule_id].optional)
    assert [ref.name for ref in declared if ref.name not in asked] == []
    assert len(declared) == len(set(declared))


@pytest.mark.parametrize("rule_id", RULES)
def test_a_metric_that_is_not_declared_cannot_be_read(rule_id: str) -> None:
    case = cases_of(rule_id)[0]
    reading = Reading(case.analysis(), frozenset((*RULES[rule_id].requires, *RULES[rule_id].optional)))
    with pytest.raises(UndeclaredMetric, match="not declared"):
        reading.maybe(MetricRef("nobody__declares_this.sum", "", "None"))


def test_a_required_metric_that_is_missing_cannot_be_read() -> None:
    rule = RULES["small_grid"]
    reading = Reading(cases_of("too_short_to_judge")[0].analysis(), frozenset(rule.requires))
    with pytest.raises(UndeclaredMetric, match="declared optional"):
        reading.value(rule.requires[0])
