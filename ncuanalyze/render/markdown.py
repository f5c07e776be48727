"""Markdown for a pull request's comment: under 60 lines, tables and folds that GitHub renders."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html import escape

from ncuanalyze.diagnosis import Diagnosis, Finding, KernelDiagnosis, labels_of
from ncuanalyze.render.html_findings import place_name
from ncuanalyze.render.names import ELLIPSIS, safe_text, short_name
from ncuanalyze.render.numbers import duration, evidence_text, pct, speedup_text
from ncuanalyze.render.peak import of_peak

ROWS = 12
PANELS = 3
FINDINGS = 3
WARNINGS = 3
NAME_WIDTH = 60
TEXT_LENGTH = 400

_SPECIAL = re.compile(r"([\\`*_\[\]<>|~])|^(?=[#+=-])|(?<=^\d)(?=[.)])")
_BACKTICKS = re.compile(r"`+")
_LINKED = re.compile(r"([@#])(?=\w)|(?<=:)(?=//)|(?<=www)(?=\.)", re.IGNORECASE)


def render(diagnosis: Diagnosis) -> str:
    """At most 59 lines: the story, the slowest kernels as a table, a fold for each of the first ones."""
    return "\n".join(_lines(diagnosis)) + "\n"


def _lines(diagnosis: Diagnosis) -> Iterator[str]:
    ordered = sorted(diagnosis.kernels, key=lambda kernel: -(kernel.duration_ns or 0.0))
    yield f"### {code(diagnosis.source.file or 'Kernel diagnosis')}"
    if diagnosis.story:
        yield from ("", text(diagnosis.story))
    warnings = (*diagnosis.warnings, *(finding.title for finding in diagnosis.findings))
    if warnings:
        yield ""
        yield from (f"- {text(warning)}" for warning in warnings[:WARNINGS])
    labels = labels_of(diagnosis.kernels)
    yield from ("", *_table(ordered, labels), "")
    for kernel in ordered[:PANELS]:
        yield from _panel(kernel, labels)
    if facts := _facts(diagnosis):
        yield f"<sub>{text(facts)}</sub>"


def _table(kernels: list[KernelDiagnosis], labels: Mapping[str, str]) -> Iterator[str]:
    yield "| Kernel | Time | Share | Bound | Of peak | Pays most |"
    yield "| :-- | --: | --: | :-- | --: | :-- |"
    for kernel in kernels[:ROWS]:
        cells = (
            code(_name(kernel)) + (f" in {code(label)}" if (label := _range(kernel, labels)) else ""),
            duration(kernel.duration_ns),
            pct(kernel.time_share_pct),
            kernel.bound.value,
            _roof(kernel),
            _pays(kernel),
        )
        yield f"| {' | '.join(cells)} |"
    if len(kernels) > ROWS:
        yield f"| {len(kernels) - ROWS} more | | | | | |"


def _roof(kernel: KernelDiagnosis) -> str:
    share, roof = of_peak(kernel)
    return f"{pct(share)} of {text(roof)}" if share is not None else "n/a"


def _pays(kernel: KernelDiagnosis) -> str:
    if kernel.at_roofline:
        return "at the roof"
    best = next((finding for finding in kernel.findings if finding.speedup), None)
    return f"{text(best.title)}, {speedup_text(best.speedup)}" if best and best.speedup else ""


def _name(kernel: KernelDiagnosis) -> str:
    return short_name(kernel.kernel.demangled, NAME_WIDTH)


def _range(kernel: KernelDiagnosis, labels: Mapping[str, str]) -> str:
    """The NVTX range that tells this kernel from others of its name, as the story calls it."""
    label = labels[kernel.kernel.id]
    return short_name(label, NAME_WIDTH) if label in kernel.kernel.nvtx and label != kernel.kernel.name else ""


def _panel(kernel: KernelDiagnosis, labels: Mapping[str, str]) -> Iterator[str]:
    name, label = escape(safe_text(_name(kernel))), escape(safe_text(_range(kernel, labels)))
    inside = f" in <code>{label}</code>" if label else ""
    yield f"<details><summary><code>{name}</code>{inside} {duration(kernel.duration_ns)}, {kernel.bound}</summary>"
    yield ""
    evidence = "; ".join(text(evidence_text(item)) for item in kernel.bound_evidence)
    yield text(kernel.summary) + (f" ({evidence})" if evidence else "")
    if kernel.findings:
        yield ""
        yield from (_finding(finding) for finding in kernel.findings[:FINDINGS])
    yield from ("", "</details>", "")


def _finding(finding: Finding) -> str:
    gain = f", {speedup_text(finding.speedup)}" if finding.speedup else ""
    places = ", ".join(code(place_name(line.file, line.line)) for line in finding.source_lines)
    parts = [f"**{text(finding.title)}**{gain}:", text(finding.message)]
    if finding.advice:
        parts.append(text(finding.advice[0]))
    if places:
        parts.append(f"At {places}.")
    return f"- {' '.join(parts)}"


def _facts(diagnosis: Diagnosis) -> str:
    source = diagnosis.source
    clocks = f"clocks {source.clock_control}" if source.clock_control else ""
    version = f"ncu {source.ncu_version}" if source.ncu_version else ""
    facts = (diagnosis.device.name or "", version, clocks, diagnosis.tool)
    return ", ".join(fact for fact in facts if fact)


def text(value: str) -> str:
    """One line of plain text: markup escaped, mentions and references broken, at most ``TEXT_LENGTH`` long."""
    flat = " ".join(safe_text(value, keep_lines=True).split())
    if len(flat) > TEXT_LENGTH:
        flat = flat[: TEXT_LENGTH - 1] + ELLIPSIS
    escaped = _SPECIAL.sub(lambda match: f"\\{match.group()}", flat.replace("&", "&amp;"))
    return _LINKED.sub(lambda match: f"{match.group()}\u200b", escaped)


def code(value: str) -> str:
    """A code span that holds whatever the text holds: backticks inside get a longer fence, pipes a backslash."""
    flat = " ".join(safe_text(value, keep_lines=True).split())[:TEXT_LENGTH].replace("|", "\\|") or " "
    fence = "`" * (1 + max((len(run) for run in _BACKTICKS.findall(flat)), default=0))
    pad = " " if flat.startswith("`") or flat.endswith("`") else ""
    return f"{fence}{pad}{flat}{pad}{fence}"
