"""The comparison in a terminal: the verdict, one line a kernel, then why each changed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ncuanalyze.compare.comparison import Comparison, Fate, KernelComparison, ReportSide, Verdict, Weight, Why
from ncuanalyze.render import comparison_words as words
from ncuanalyze.render.numbers import duration, factor, pct
from ncuanalyze.render.terminal import Style, console_text, plain

if TYPE_CHECKING:
    from rich.console import Console

VERDICT_COLORS = {
    Verdict.FASTER: "green",
    Verdict.SLOWER: "red",
    Verdict.SAME: "default",
    Verdict.INCONCLUSIVE: "yellow",
}
SHOWN = 10
ROWS = 30
LONE_SHOWN = 5
TABLE_WIDTH = 52  # of the columns before the kernel's name


def render(comparison: Comparison) -> str:
    """Plain text at 80 columns."""
    return render_text(comparison, Style())


def render_text(comparison: Comparison, style: Style) -> str:
    """The whole comparison as text."""
    return console_text(style, lambda console: _write(comparison, console, style))


def _write(comparison: Comparison, console: Console, style: Style) -> None:
    color = VERDICT_COLORS[comparison.verdict]
    console.print(plain(words.headline(comparison)), style=f"bold {color}")
    console.print(plain(words.counts(comparison)))
    _side("base", comparison.base, console)
    _side("new", comparison.new, console)
    for item in words.differences(comparison):
        tone = "dim" if item.weight is Weight.NOTE else "yellow"
        console.print(plain(f"{_mark(item.weight)} {words.difference_text(item)}"), style=tone)
    if comparison.total.note:
        console.print(plain(f"note: {comparison.total.note}"), style="dim")
    if len(comparison.kernels) > 1:
        _table(comparison, console, style.width - TABLE_WIDTH)
    shown = comparison.kernels if style.verbose else comparison.kernels[:SHOWN]
    titles = words.titles(comparison, style.width - 24)
    for place, kernel in enumerate(shown):
        _kernel(kernel, titles[place], console, style)
    if len(shown) < len(comparison.kernels):
        console.print(f"\n{len(comparison.kernels) - len(shown)} more kernels: -v shows all.", style="dim")
    _lone(comparison, console)


def _mark(weight: Weight) -> str:
    return {Weight.MEANINGLESS: "unfair:", Weight.WARNING: "warning:"}.get(weight, "note:")


def _side(name: str, side: ReportSide, console: Console) -> None:
    gpus = ", ".join(dict.fromkeys(device.name or "unknown GPU" for device in side.devices))
    versions = ", ".join(dict.fromkeys(source.ncu_version for source in side.sources if source.ncu_version))
    ncu = f", ncu {versions}" if versions else ""
    console.print(plain(f"{name:<5} {side.label} ({gpus}{ncu}, {side.launches} launches)"), style="dim")


def _table(comparison: Comparison, console: Console, name_width: int) -> None:
    from rich.table import Table

    table = Table(box=None, padding=(0, 1, 0, 0), header_style="bold")
    for title in ("base", "new", "change", "share", "part"):
        table.add_column(title, justify="right", no_wrap=True)
    table.add_column("verdict", no_wrap=True)
    table.add_column("kernel", no_wrap=True, overflow="ellipsis")
    titles = words.titles(comparison, name_width)
    for place, kernel in enumerate(comparison.kernels[:ROWS]):
        table.add_row(
            duration(kernel.base.spread.median_ns if kernel.base.spread else None),
            duration(kernel.new.spread.median_ns if kernel.new.spread else None),
            words.change(kernel.change_pct),
            pct(kernel.base_share_pct),
            words.change(kernel.contribution_pct).removeprefix("+"),
            plain(kernel.verdict.value, VERDICT_COLORS[kernel.verdict]),
            plain(titles[place]),
        )
    console.print()
    console.print(table)


def _kernel(kernel: KernelComparison, title: str, console: Console, style: Style) -> None:
    from rich.padding import Padding
    from rich.table import Table

    console.print()
    by = f" {factor(kernel.speedup)}" if kernel.speedup is not None else ""
    head = plain(title, "bold")
    head.append(f"  {kernel.verdict.value}{by}", style=f"bold {VERDICT_COLORS[kernel.verdict]}")
    console.print(head)
    rows = Table.grid(padding=(0, 1, 0, 0))
    rows.add_column(width=9, no_wrap=True, style="dim")
    rows.add_column(overflow="fold")
    for label, text in _rows(kernel, style):
        rows.add_row(plain(label), plain(text))
    console.print(Padding(rows, (0, 0, 0, 2)))


def _rows(kernel: KernelComparison, style: Style) -> Iterator[tuple[str, str]]:
    """What is said of a kernel, as label and text."""
    yield "verdict", kernel.reason
    yield from _facts(kernel)
    yield from (("note", note) for note in kernel.notes)
    if kernel.why is not None:
        yield from _why(kernel.why, style.verbose)
        if kernel.why.promise is not None and (style.verbose or words.promise_is_told(kernel)):
            yield "promise", words.promise_text(kernel.why.promise)


def _facts(kernel: KernelComparison) -> list[tuple[str, str]]:
    base, new = kernel.base.diagnosis, kernel.new.diagnosis
    time = f"{words.spread_text(kernel.base.spread)} to {words.spread_text(kernel.new.spread)}"
    if kernel.change_pct is not None:
        time += f" ({words.change(kernel.change_pct)})"
    cycles = words.cycles_text(kernel)
    clocks = words.clocks_text(kernel)
    bound = f"{base.bound} ({base.limiter or 'no limiter'}) to {new.bound} ({new.limiter or 'no limiter'})"
    at_roof = " at its roof" if new.at_roofline else ""
    facts = [
        ("time", time),
        ("cycles", f"{cycles}, SM clock {clocks}" if clocks else cycles),
        ("bound", bound + at_roof),
    ]
    return [(label, value) for label, value in facts if value]


def _why(why: Why, verbose: bool) -> Iterator[tuple[str, str]]:
    yield "why", why.sentence
    if verbose:
        for row in why.work_rates:
            name, work, more, rate, quicker = words.work_text(row)
            yield "work", f"{name}: {work} ({more}), rate {rate} ({quicker})"
        yield from (("moved", words.moved_text(item)) for item in why.moved)
    for change in why.findings:
        if verbose or change.fate is not Fate.KEPT:
            yield "finding", words.finding_text(change)


def _lone(comparison: Comparison, console: Console) -> None:
    for title, sides in (("vanished", comparison.vanished), ("new", comparison.appeared)):
        for place, (name, time, launches) in enumerate(words.lone(sides, 50)):
            if place == LONE_SHOWN:
                console.print(f"{title}: {len(sides) - LONE_SHOWN} more", style="dim")
                break
            often = f" in {launches} launches" if launches > 1 else ""
            console.print(plain(f"{title}: {name}, {time}{often}"))
