"""``ncuanalyze rules`` as a user runs it."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from ncuanalyze.cli.main import group
from ncuanalyze.ruleset import load_rules

RULES = load_rules().rules


def run(*arguments: str) -> Result:
    return CliRunner().invoke(group, ["rules", *arguments])


def test_the_list_has_every_rule_in_80_columns() -> None:
    result = run()
    assert result.exit_code == 0, result.output
    listed = [line.split()[0] for line in result.output.splitlines()[1:] if not line.startswith(" ")]
    assert listed == [rule.id for rule in RULES]
    assert max(map(len, result.output.splitlines())) <= 80


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_a_rule_is_explained_with_headings_thresholds_sources_and_sections(rule) -> None:
    result = run(rule.id)
    assert result.exit_code == 0, result.output
    shown = " ".join(result.output.split())
    for heading in ("Why it matters", "When it fires", "When it stays quiet", "What to try"):
        assert f"\n{heading}\n" in result.output
    for name, threshold in load_rules().thresholds.get(rule.id, {}).items():
        assert f"{name} = {threshold.value:g} {threshold.unit}" in shown
        assert threshold.source in shown
    for ref in (*rule.requires, *rule.optional):
        assert ref.name in shown and f"--section {ref.section}" in shown
    assert ("--section WarpStateStats" in shown) or not rule.needs_stalls


def test_json_holds_what_the_text_does() -> None:
    (entry,) = json.loads(run("tail_effect", "--format", "json").output)
    assert (entry["id"], entry["kind"], entry["needs_stalls"]) == ("tail_effect", "cause", False)
    assert entry["thresholds"]["idle_pct"]["unit"] == "%"
    assert {item["section"] for item in entry["requires"]} == {"LaunchStats", "SpeedOfLight"}
    assert list(entry["parts"]) == ["Why it matters", "When it fires", "When it stays quiet", "What to try"]


def test_a_threshold_of_your_own_is_marked(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text("[tail_effect]\nidle_pct = 33\n")
    result = run("tail_effect", "--thresholds", str(mine))
    assert "idle_pct = 33 %, set by you" in result.output


def test_a_rule_of_your_own_needs_no_headings(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        '"""A rule."""\nfrom ncuanalyze.rule import Clear, Rule\n'
        'RULE = Rule(id="mine", title="Mine", check=lambda kernel, limits: Clear())\n'
    )
    result = run("mine", "--rules", str(tmp_path))
    assert result.exit_code == 0, result.output
    assert result.output.startswith("mine: Mine\nA rule.\n")


@pytest.mark.parametrize(
    ("rule_id", "hint"),
    [("small_grd", "did you mean small_grid?"), ("xyz", "`ncuanalyze rules` lists them")],
)
def test_an_unknown_rule_is_an_error_with_a_hint(rule_id: str, hint: str) -> None:
    result = run(rule_id)
    assert result.exit_code == 2
    assert f"no rule is called {rule_id}" in result.output and hint in result.output


def test_an_output_file_is_kept_unless_forced(tmp_path: Path) -> None:
    page = tmp_path / "rules.md"
    assert run("--format", "markdown", "-o", str(page)).exit_code == 0
    assert run("--format", "markdown", "-o", str(page)).exit_code == 1
    assert run("--format", "markdown", "-o", str(page), "--force").exit_code == 0
