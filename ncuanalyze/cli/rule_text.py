"""The rules as terminal text, as markdown and as JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

from ncuanalyze.cli.rule_page import RulePage, as_number
from ncuanalyze.metrics import MetricRef

_IDENTIFIER = re.compile(r"(?<!\w)[\w.]*_[\w.]*[\w*](?:\([^()\s]*\))?")
GENERATED = "<!-- Made from the rules by `make docs`; a test fails when it is stale. -->"


def list_text(pages: Sequence[RulePage], color: bool | None) -> str:
    """One line a rule: its id and its title."""
    from ncuanalyze.cli.console import as_text, plain_table

    rows = [(page.rule.id, page.rule.title) for page in pages]
    return as_text([plain_table(("rule", "what it finds"), rows, text=(0, 1))], color=color)


def page_text(page: RulePage, color: bool | None) -> str:
    """One rule explained."""
    from ncuanalyze.cli.console import as_text

    return as_text(list(_lines(page)), color=color)


def _lines(page: RulePage) -> Iterator[str]:
    yield f"{page.rule.id}: {page.rule.title}"
    yield page.summary
    for heading, text in page.parts:
        yield ""
        yield heading
        yield f"  {text}"
    if page.thresholds:
        yield ""
        yield "Thresholds (rules/thresholds.toml, or --thresholds FILE)"
    for name, threshold in page.thresholds:
        mark = ", set by you" if threshold.overridden else ""
        yield f"  {name} = {as_number(threshold.value)} {threshold.unit}{mark}"
        yield f"    {threshold.source}"
    yield ""
    yield "Metrics, and the section that collects each"
    yield from (f"  {name}" for name in _metric_lines(page))


def _metric_lines(page: RulePage) -> Iterator[str]:
    rule = page.rule
    yield from (f"{ref.name} ({_section(ref)})" for ref in rule.requires)
    if rule.needs_stalls:
        yield "warp stall reasons (--section WarpStateStats)"
    yield from (f"{ref.name} ({_section(ref)}, where it is there)" for ref in rule.optional)
    if not (rule.requires or rule.needs_stalls or rule.optional):
        yield "what the report says of the launch itself"


def _section(ref: MetricRef) -> str:
    return f"--section {ref.section}"


def markdown(pages: Sequence[RulePage]) -> str:
    """All rules as one markdown page."""
    lines = ["# Rules", "", GENERATED, "", *_introduction(len(pages)), ""]
    lines += ["| rule | what it finds |", "| --- | --- |"]
    lines += [f"| [`{page.rule.id}`](#{page.rule.id}) | {page.rule.title} |" for page in pages]
    for page in pages:
        lines += ["", f"## {page.rule.id}", "", *_markdown_body(page)]
    return "\n".join(lines) + "\n"


def _introduction(count: int) -> list[str]:
    return [
        f"{count} rules, one module each: a docstring with four headings, a pure `check`, and `RULE`. A rule reads",
        "only the metrics that it declares; every number that decides is in `thresholds.toml` with its unit and",
        "source, and `--thresholds FILE` lays your own over it. `--rules DIR` adds a folder of yours. `ncuanalyze",
        "rules RULE` prints one of these entries. How gains are estimated:",
        "[`docs/diagnosis.md`](../docs/diagnosis.md).",
    ]


def _markdown_body(page: RulePage) -> Iterator[str]:
    yield f"**{page.rule.title}.** {_code(page.summary)}"
    for heading, text in page.parts:
        yield ""
        yield f"*{heading}.* {_code(text)}"
    if page.thresholds:
        yield ""
        yield "| threshold | value | source |"
        yield "| --- | --- | --- |"
        for name, threshold in page.thresholds:
            yield f"| `{name}` | {as_number(threshold.value)} {threshold.unit} | {_cell(threshold.source)} |"
    yield ""
    yield f"*Sections.* {', '.join(f'`{name}`' for name in page.sections) or 'none: the launch itself'}"


def _code(text: str) -> str:
    """Identifiers with underscores as code, so that no underscore is taken for emphasis."""
    return _IDENTIFIER.sub(r"`\g<0>`", text)


def _cell(text: str) -> str:
    return _code(text).replace("|", "\\|")


def as_json(pages: Sequence[RulePage]) -> str:
    """The rules with their thresholds and metrics, for other programs."""
    return json.dumps([_plain(page) for page in pages], indent=1) + "\n"


def _plain(page: RulePage) -> dict[str, object]:
    rule = page.rule
    return {
        "id": rule.id,
        "title": rule.title,
        "kind": rule.kind,
        "summary": page.summary,
        "parts": dict(page.parts),
        "thresholds": {
            name: {"value": t.value, "unit": t.unit, "source": t.source, "overridden": t.overridden}
            for name, t in page.thresholds
        },
        "requires": [{"metric": ref.name, "section": ref.section} for ref in rule.requires],
        "optional": [{"metric": ref.name, "section": ref.section} for ref in rule.optional],
        "needs_stalls": rule.needs_stalls,
    }
