"""``ncuanalyze rules [ID]``: the rules, or one explained."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ncuanalyze.cli.output import write_output
from ncuanalyze.errors import InvalidOption

if TYPE_CHECKING:
    from ncuanalyze.ruleset import RuleSet

FORMATS = ("text", "markdown", "json")


@click.command("rules")
@click.argument("rule_id", required=False, metavar="[ID]")
@click.option("-f", "--format", "form", type=click.Choice(FORMATS), default="text", show_default=True)
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write to a file.")
@click.option("--force", is_flag=True, help="Overwrite the output file.")
@click.option("--rules", "folder", type=click.Path(path_type=Path), metavar="DIR", help="With your own rules.")
@click.option("--thresholds", type=click.Path(path_type=Path), metavar="FILE", help="With your own thresholds.")
@click.option("--color/--no-color", default=None, help="Force or forbid colour.")
def command(
    rule_id: str | None,
    form: str,
    output: Path | None,
    force: bool,
    folder: Path | None,
    thresholds: Path | None,
    color: bool | None,
) -> None:
    """The rules, or one explained: when it fires, its thresholds with their sources, the metrics it reads.

    \b
    ncuanalyze rules
    ncuanalyze rules shared_bank_conflicts
    """
    from ncuanalyze.ruleset import load_rules

    ruleset = load_rules(folder, thresholds)
    write_output(_text(ruleset, rule_id, form, color), output, force=force)


def _text(ruleset: RuleSet, rule_id: str | None, form: str, color: bool | None) -> str:
    from ncuanalyze.cli import rule_text
    from ncuanalyze.cli.rule_page import page_of

    chosen = [rule for rule in ruleset.rules if rule_id in (None, rule.id)]
    if not chosen:
        raise InvalidOption(f"no rule is called {rule_id}", hint=_nearest(rule_id or "", ruleset))
    pages = [page_of(rule, ruleset) for rule in chosen]
    if form == "json":
        return rule_text.as_json(pages)
    if form == "markdown":
        return rule_text.markdown(pages)
    return rule_text.page_text(pages[0], color) if rule_id else rule_text.list_text(pages, color)


def _nearest(rule_id: str, ruleset: RuleSet) -> str:
    from difflib import get_close_matches

    near = get_close_matches(rule_id, [rule.id for rule in ruleset.rules], n=3)
    return f"did you mean {' or '.join(near)}?" if near else "`ncuanalyze rules` lists them"
