"""The shipped rules, a user's own folder, and thresholds laid over."""

from pathlib import Path

import pytest
from launches import FIXTURES, make_launch

from ncuanalyze.analysis.kernel import KernelAnalysis
from ncuanalyze.diagnose import diagnose
from ncuanalyze.diagnosis import Finding
from ncuanalyze.engine import run_rule
from ncuanalyze.errors import RuleSetError
from ncuanalyze.load import load
from ncuanalyze.ruleset import load_rules

OWN = '''"""Blocks of an odd size.

Why it matters
    An example.

When it fires
    Always.

When it stays quiet
    Never.

What to try
    Nothing.
"""

from ncuanalyze.analysis.gain import Effect
from ncuanalyze.diagnosis import fact
from ncuanalyze.metrics import BLOCK_SIZE
from ncuanalyze.rule import Clear, Flagged, Rule


def check(kernel, limits):
    threads = kernel.value(BLOCK_SIZE)
    if threads < limits["threads"]:
        return Clear()
    return Flagged(
        message="An odd block.",
        because=(fact("threads", BLOCK_SIZE.name, threads),),
        effect=Effect(removes={"all": 0.5}, exposed=0.5),
        advice=("Change it.",),
    )


RULE = Rule(id="odd_block", title="Odd block", requires=(BLOCK_SIZE,), limits=("threads",), check=check)
'''
LIMIT = '[odd_block.threads]\nvalue = 1\nunit = "thread"\nsource = "an example"\n'


@pytest.fixture
def own(tmp_path: Path) -> Path:
    (tmp_path / "odd_block.py").write_text(OWN)
    (tmp_path / "thresholds.toml").write_text(LIMIT)
    return tmp_path


def thresholds(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "mine.toml"
    path.write_text(text)
    return path


def test_the_shipped_rules_are_in_the_order_of_their_ids() -> None:
    ids = [rule.id for rule in load_rules().rules]
    assert ids == sorted(ids)
    assert len(ids) >= 34


def test_a_folder_adds_a_rule_that_runs(own: Path) -> None:
    diagnosis = diagnose(load(FIXTURES / "demo.raw.csv.xz"), ruleset=load_rules(own))
    assert all("odd_block" in [finding.id for finding in kernel.findings] for kernel in diagnosis.kernels)
    assert diagnosis.warnings == ()


def test_files_that_begin_with_an_underscore_are_no_rules(own: Path) -> None:
    (own / "_shared.py").write_text("raise ValueError")
    assert "odd_block" in [rule.id for rule in load_rules(own).rules]


@pytest.mark.parametrize(
    "text", ["[too_short_to_judge]\nduration_ns = 1e9", "[too_short_to_judge.duration_ns]\nvalue = 1e9"]
)
def test_a_threshold_is_laid_over_and_named_in_the_diagnosis(tmp_path: Path, text: str) -> None:
    diagnosis = diagnose(load(FIXTURES / "demo.raw.csv.xz"), ruleset=load_rules(thresholds=thresholds(tmp_path, text)))
    assert diagnosis.warnings == ("threshold too_short_to_judge.duration_ns is set to 1e+09 ns",)
    assert [kernel.findings[0].id for kernel in diagnosis.kernels] == ["too_short_to_judge"] * 2


def test_an_override_keeps_the_unit_and_says_where_it_was_set(tmp_path: Path) -> None:
    file = thresholds(tmp_path, "[tail_effect]\nidle_pct = 25")
    found = load_rules(thresholds=file).thresholds["tail_effect"]["idle_pct"]
    assert (found.value, found.unit, found.overridden) == (25, "%", True)
    assert str(file) in found.source


def test_a_folder_that_replaces_a_shipped_threshold_is_named_too(own: Path) -> None:
    (own / "thresholds.toml").write_text(LIMIT + '[tail_effect.idle_pct]\nvalue = 50\nunit = "%"\nsource = "ours"\n')
    found = load_rules(own).thresholds
    assert found["tail_effect"]["idle_pct"].overridden
    assert not found["odd_block"]["threads"].overridden


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[nobody]\nlimit = 1", "unknown threshold nobody.limit"),
        ("[tail_effect]\nidle = 1", "unknown threshold tail_effect.idle"),
        ("[tail_effect]\nidle_pct = 'ten'", "tail_effect.idle_pct has no number"),
        ("[tail_effect]\nidle_pct = true", "tail_effect.idle_pct has no number"),
        ("[tail_effect]\nidle_pct = nan", "tail_effect.idle_pct has no number"),
        ("[tail_effect]\nidle_pct = inf", "tail_effect.idle_pct has no number"),
        ("tail_effect = 1", "is not a table"),
        ("[tail_effect", "is not valid TOML"),
    ],
)
def test_a_thresholds_file_that_cannot_be_used(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(RuleSetError, match=message) as caught:
        load_rules(thresholds=thresholds(tmp_path, text))
    assert caught.value.hint


def test_a_thresholds_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(RuleSetError, match="cannot read"):
        load_rules(thresholds=tmp_path / "none.toml")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (('id="odd_block"', 'id="small_grid"'), "two rules are called small_grid"),
        (('limits=("threads",)', 'limits=("threads", "warps")'), "declares the threshold warps, which no file defines"),
        (("RULE =", "MY_RULE ="), "has no RULE"),
        (('id="odd_block"', 'id="odd_block", kind="casue"'), "of kind casue cannot be run"),
        (('id="odd_block"', 'id="engine"'), "rule engine of kind cause cannot be run"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_a_rule_that_cannot_be_used(own: Path, change: tuple[str, str], message: str) -> None:
    assert change[0] in OWN
    (own / "odd_block.py").write_text(OWN.replace(*change))
    with pytest.raises(RuleSetError, match=message) as caught:
        load_rules(own)
    assert caught.value.hint


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("from ncuanalyze.rule import", "from ncuanalyze.nowhere import"), "ModuleNotFoundError"),
        (("def check", "def check("), "SyntaxError"),
        (("RULE =", "raise SystemExit(1)\nRULE ="), "SystemExit"),
    ],
)
def test_a_rule_that_does_not_import_is_one_error_finding(own: Path, change: tuple[str, str], said: str) -> None:
    (own / "odd_block.py").write_text(OWN.replace(*change))
    (own / "thresholds.toml").unlink(missing_ok=True)
    ruleset = load_rules(own)
    rule = next(rule for rule in ruleset.rules if rule.id == "odd_block")
    outcome = run_rule(rule, KernelAnalysis(make_launch({})), ruleset)
    assert isinstance(outcome, Finding)
    assert (outcome.kind, said in outcome.message) == ("error", True)


def test_a_rule_whose_threshold_has_no_source(own: Path) -> None:
    (own / "thresholds.toml").write_text("[odd_block.threads]\nvalue = 1\n")
    with pytest.raises(RuleSetError, match=r"odd_block\.threads has no source"):
        load_rules(own)


def test_a_folder_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(RuleSetError, match="is not a folder of rules"):
        load_rules(tmp_path / "nowhere")


def test_a_user_rule_that_breaks_costs_one_finding(own: Path) -> None:
    (own / "odd_block.py").write_text(OWN.replace('limits["threads"]', 'limits["thread"]'))
    diagnosis = diagnose(load(FIXTURES / "demo.raw.csv.xz"), ruleset=load_rules(own))
    for kernel in diagnosis.kernels:
        (broken,) = [finding for finding in kernel.findings if finding.kind == "error"]
        assert (broken.id, "KeyError" in broken.message) == ("odd_block", True)
        assert kernel.bound.value in ("memory", "compute")
