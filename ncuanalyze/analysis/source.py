"""Source hot spots: the lines where warps wait, and the lines that cause a finding."""

from __future__ import annotations

from pathlib import Path

from ncuanalyze.analysis.source_counters import SAMPLES, AddressCounters, LineCounter
from ncuanalyze.analysis.source_hotspots import Hotspots
from ncuanalyze.analysis.source_limits import limit
from ncuanalyze.analysis.source_places import largest_first, places_of, summed
from ncuanalyze.analysis.source_text import SourceText
from ncuanalyze.diagnosis import SourceHotspots, SourceLine
from ncuanalyze.profile import KernelLaunch

__all__ = ["LineCounter", "hotspots_of", "lines_for"]

OPCODES = "sass__inst_executed_per_opcode"


def hotspots_of(
    launch: KernelLaunch, source_root: Path | None = None, *, counters: AddressCounters | None = None
) -> SourceHotspots | None:
    """The lines (without line information: the instructions) that hold most not-issued samples.

    None where the report has no samples by address. Text comes from the report; from disk only below
    ``source_root``. With too few samples no line is blamed and ``note`` says so. ``counters`` saves reading twice.
    """
    counters = counters or AddressCounters(launch)
    samples = counters.of(SAMPLES)
    if launch.source is None or not samples:
        return None
    total = int(sum(samples.values()))
    opcodes = _opcode_mix(launch)
    if total < limit("samples_per_kernel"):
        note = (
            f"only {total} samples, fewer than {limit('samples_per_kernel'):g}: no line is blamed; "
            "profile a longer launch, or sample faster (ncu --sampling-interval 0)"
        )
        return SourceHotspots(
            samples=total, lines=(), context={}, opcodes=opcodes, enough_samples=False, note=note
        )
    return Hotspots(launch, counters, _text(launch, source_root)).result(total, opcodes)


def lines_for(
    launch: KernelLaunch,
    counter: str,
    source_root: Path | None = None,
    *,
    counters: AddressCounters | None = None,
) -> tuple[SourceLine, ...]:
    """The lines that hold most of a counter by address (a ``LineCounter`` or ``<reason>_samples``).

    Empty where the report has no such counter, no line information, or (samples) too few of them.
    An unknown counter is a ValueError. ``counters`` saves reading twice.
    """
    amounts = (counters or AddressCounters(launch)).counter(counter)
    total = sum(amounts.values())
    sampled = counter.endswith("_samples")
    if launch.source is None or not total or (sampled and total < limit("samples_per_kernel")):
        return ()
    by_place = summed(amounts, places_of(launch, amounts))
    least = max(total * limit("share_per_finding_line") / 100, limit("samples_per_line") if sampled else 0)
    kept = [(place, amount) for place, amount in largest_first(by_place) if place[0] and amount >= least]
    text = _text(launch, source_root)
    return tuple(
        SourceLine(
            file=file,
            line=line,
            share_pct=100 * amount / total,
            counter=str(counter).replace("_", " "),
            text=text.line(file, line).strip(),
        )
        for (file, line), amount in kept[: int(limit("lines_per_finding"))]
    )


def _opcode_mix(launch: KernelLaunch) -> tuple[tuple[str, float], ...]:
    counts = {
        str(opcode): count for opcode, count in launch.metrics.instances(OPCODES) if isinstance(count, float)
    }
    total = sum(counts.values())
    shown = largest_first(counts)[: int(limit("lines_shown"))]
    return tuple((opcode, 100 * count / total) for opcode, count in shown) if total else ()


def _text(launch: KernelLaunch, root: Path | None) -> SourceText:
    return SourceText(
        launch.source, root, file_bytes=int(limit("file_bytes")), width=int(limit("text_width"))
    )
