"""The diagnosis in a terminal: one line a kernel by time, then each kernel's verdict with its evidence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ncuanalyze.diagnosis import Bound, Diagnosis, Finding, KernelDiagnosis
from ncuanalyze.render.kernel_rows import KernelRow, kernel_rows
from ncuanalyze.render.numbers import (
    dimensions,
    duration,
    evidence_text,
    pct,
    safe_text,
    short_name,
    speedup_text,
)
from ncuanalyze.render.terminal import Style, console_text
from ncuanalyze.render.text_table import BOUND_COLORS, write_table
from ncuanalyze.render.utilization_text import utilization_lines

if TYPE_CHECKING:
    from rich.console import Console
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text

MANY = 12
"""Reports with more kernels than this show the panels of the ten that matter, unless asked for all."""
SHOWN = 10
MANY_OPTIONS = 3
"""From here on one section set is shorter than a list of sections."""
GAINLESS = {"ranking": "", "cause": "a choice, not a promise", "verdict": "verdict", "error": "rule error"}
SHORT_NS = 20_000
"""In kernels shorter than this (profiling guide), unreliable counters bear on the verdict; elsewhere -v lists them."""
WORTH_A_LINE_PCT = 20
"""A kernel farther than this from every roof has another problem than the roof."""


def render(diagnosis: Diagnosis) -> str:
    """Plain text at 80 columns."""
    return render_text(diagnosis, Style())


def render_text(diagnosis: Diagnosis, style: Style) -> str:
    """The whole diagnosis as text."""
    return console_text(style, lambda console: _write(diagnosis, console, style))


def _write(diagnosis: Diagnosis, console: Console, style: Style) -> None:
    rows = kernel_rows(diagnosis.kernels, apart=style.verbose)
    _header(diagnosis, console)
    if len(diagnosis.kernels) > 1:
        write_table(rows, console, style)
    shown = rows if style.verbose or len(rows) <= MANY else rows[:SHOWN]
    for row in shown:
        _kernel(row, console, style)
    if len(shown) < len(rows):
        console.print(f"\n{len(rows) - len(shown)} more kernels: -v, or --kernel REGEX.", style="dim")
    for finding in diagnosis.findings:
        console.print()
        _finding(finding, 0, console, style)


def _header(diagnosis: Diagnosis, console: Console) -> None:
    device = diagnosis.device
    facts = [
        diagnosis.source.file,
        device.name,
        f"CC {device.compute_capability}" if device.compute_capability else None,
        f"ncu {diagnosis.source.ncu_version}" if diagnosis.source.ncu_version else None,
    ]
    console.print(_plain("  ".join(safe_text(fact) for fact in facts if fact)), style="bold")
    if len(diagnosis.kernels) != 1:
        console.print(_plain(safe_text(diagnosis.story)))
    for warning in diagnosis.warnings:
        console.print(_plain(f"warning: {safe_text(warning)}"), style="yellow")


def _plain(text: str) -> Text:
    from rich.text import Text

    return Text(text)


def _kernel(row: KernelRow, console: Console, style: Style) -> None:
    item = row.slowest
    console.print()
    name = short_name(item.kernel.name, style.width - 24)
    console.print(_plain(f"{name}  {duration(item.duration_ns)}{_range(item)}"), style="bold")
    if len(row.launches) > 1:
        spread = f"{duration(row.fastest_ns)} to {duration(item.duration_ns)}"
        console.print(f"  the slowest of {len(row.launches)} such launches, {spread}", style="dim", highlight=False)
    launch = _launch(item)
    if launch:
        console.print(_plain(f"  {launch}"), style="dim")
    console.print(_indented(item.summary, 2), style=BOUND_COLORS[item.bound])
    for line in _verdict_lines(item, style):
        console.print(_indented(line, 2))
    shown = item.findings if style.verbose else _worth_showing(item.findings)
    for finding in shown:
        _finding(finding, 2, console, style)
    hidden = len(item.findings) - len(shown)
    if hidden:
        console.print(f"  {hidden} smaller finding{'s' if hidden > 1 else ''}: -v", style="dim")
    _missing(item, console, style)


def _worth_showing(findings: Sequence[Finding]) -> Sequence[Finding]:
    """The first finding, and up to two more that are not mere guesses."""
    sure = [finding for finding in findings[1:] if finding.confidence.value != "low"]
    return [*findings[:1], *sure[:2]]


def _range(item: KernelDiagnosis) -> str:
    return f"  in {safe_text(item.kernel.nvtx[-1])}" if item.kernel.nvtx else ""


def _launch(item: KernelDiagnosis) -> str:
    parts = []
    if item.kernel.grid is not None and item.kernel.block is not None:
        parts.append(f"grid {dimensions(item.kernel.grid)}, block {dimensions(item.kernel.block)}")
    if item.occupancy is not None and item.occupancy.registers_per_thread is not None:
        parts.append(f"{item.occupancy.registers_per_thread:.0f} registers")
    if item.occupancy is not None and item.occupancy.theoretical_pct is not None:
        achieved = item.occupancy.achieved_pct
        of = f" ({pct(achieved)} achieved)" if achieved is not None else ""
        parts.append(f"occupancy {pct(item.occupancy.theoretical_pct)}{of}")
    return ", ".join(parts)


def _verdict_lines(item: KernelDiagnosis, style: Style) -> Iterator[str]:
    if item.bound_evidence:
        yield "because " + ", ".join(evidence_text(evidence) for evidence in item.bound_evidence)
    if item.bound_note and item.bound is not Bound.INCONCLUSIVE:
        yield item.bound_note
    roof = item.roofline
    if roof is not None and roof.nearest_roof_pct is not None and roof.nearest_roof_pct >= WORTH_A_LINE_PCT:
        yield f"roofline: {pct(roof.nearest_roof_pct)} of {safe_text(roof.nearest_roof)}"
    if item.stalls is not None and (item.stalls.matter or style.verbose):
        yield "stalls: " + ", ".join(
            f"{stall.reason} {pct(stall.share_pct)}" for stall in item.stalls.reasons[: 8 if style.verbose else 3]
        )
    if item.utilization is not None:
        yield from utilization_lines(item.utilization)
    if item.nvidia_verdict is not None and item.nvidia_verdict.difference:
        yield f"ncu says {safe_text(item.nvidia_verdict.title)!r}: {item.nvidia_verdict.difference}"
    if style.verbose or (item.duration_ns or 0.0) < SHORT_NS:
        yield from (f"unreliable: {warning}" for warning in item.warnings)


def _finding(finding: Finding, indent: int, console: Console, style: Style) -> None:
    from rich.text import Text

    gain = speedup_text(finding.speedup) if finding.speedup is not None else _without_gain(finding)
    head = Text(" " * indent + "> ")
    head.append(finding.title, style="bold")
    head.append(f"  {gain}", style="green" if finding.kind == "cause" else "")
    if finding.confidence.value != "high" and finding.kind == "cause":
        head.append(f"  {finding.confidence.value} confidence", style="dim")
    console.print(head)
    console.print(_indented(finding.message, indent + 2))
    if finding.evidence and finding.kind != "ranking":
        console.print(_indented("; ".join(map(evidence_text, finding.evidence)), indent + 2), style="dim")
    for advice in finding.advice if style.verbose else _advice(finding):
        console.print(_bullet(advice, indent + 2))
    for line in finding.source_lines[: 5 if style.verbose else 2]:
        text = f"{line.file}:{line.line}  {pct(line.share_pct)}  {line.text.strip()}"
        console.print(_indented(safe_text(text)[: style.width - indent - 5], indent + 2), style="cyan")
    if finding.overlaps and style.verbose:
        console.print(_indented(f"saves the same time as {finding.overlaps}", indent + 2), style="dim")


def _without_gain(finding: Finding) -> str:
    """Why no gain is promised: the kind of the finding, or counters that were not collected (its low confidence)."""
    unknown = finding.kind == "cause" and finding.confidence.value == "low"
    return "gain unknown" if unknown else GAINLESS.get(finding.kind, "")


def _advice(finding: Finding) -> Sequence[str]:
    """Two lines at most, of the language that the first one is for."""
    first = finding.advice[:1]
    prefix = first[0].split(" ", 1)[0] if first else ""
    other = {"CUDA:": "Triton:", "Triton:": "CUDA:"}.get(prefix)
    return [line for line in finding.advice if other is None or not line.startswith(other)][:2]


def _bullet(text: str, indent: int) -> Table:
    from rich.table import Table

    grid = Table.grid(padding=0)
    grid.add_column(width=indent + 2)
    grid.add_column()
    grid.add_row(" " * indent + "- ", _plain(safe_text(text)))
    return grid


def _indented(text: str, indent: int) -> Padding:
    from rich.padding import Padding

    return Padding(_plain(safe_text(text)), (0, 0, 0, indent))


def _missing(item: KernelDiagnosis, console: Console, style: Style) -> None:
    if not item.missing:
        return
    if style.verbose:
        for missing in item.missing:
            console.print(_indented(f"missing: {missing.what} ({missing.reason}) {missing.collect}", 2), style="dim")
        return
    options = dict.fromkeys(option for missing in item.missing for option in _options(missing.collect))
    if options:
        how = "ncu --set full, or ncuanalyze collect" if len(options) > MANY_OPTIONS else f"ncu {' '.join(options)}"
        text = f"not in this report: {len(item.missing)} {'analyses' if len(item.missing) > 1 else 'analysis'}; {how}"
        console.print(_indented(text, 2), style="dim")


def _options(collect: str) -> list[str]:
    """``--section A --section B --page raw`` as one entry an option with its value."""
    return [f"--{option.strip()}" for option in collect.split("--") if option.strip()]
