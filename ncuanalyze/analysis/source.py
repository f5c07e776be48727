"""Source hot spots: the lines where warps wait, and the lines that cause a finding."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TypeVar

from ncuanalyze.analysis.source_counters import (
    INSTRUCTIONS,
    SAMPLES,
    WARP_LANES,
    AddressCounters,
    LineCounter,
    reason_of,
)
from ncuanalyze.analysis.source_text import SourceText
from ncuanalyze.diagnosis import HotLine, SassLine, SourceHotspots, SourceLine
from ncuanalyze.profile import KernelLaunch

__all__ = ["LineCounter", "hotspots_of", "lines_for"]

T = TypeVar("T")
Place = tuple[str, int]
OPCODES = "sass__inst_executed_per_opcode"


def hotspots_of(launch: KernelLaunch, source_root: Path | None = None) -> SourceHotspots | None:
    """The lines (without line information: the instructions) that hold most not-issued samples.

    None where the report has no samples by address. Text comes from the report; from disk only below
    ``source_root``. With too few samples no line is blamed and ``note`` says so.
    """
    counters = AddressCounters(launch)
    samples = counters.of(SAMPLES)
    if launch.source is None or not samples:
        return None
    total = int(sum(samples.values()))
    opcodes = _opcode_mix(launch)
    if total < _limit("samples_per_kernel"):
        note = (
            f"only {total} samples, fewer than {_limit('samples_per_kernel'):g}: no line is blamed; "
            "profile a longer launch, or sample faster (ncu --sampling-interval 0)"
        )
        return SourceHotspots(
            samples=total, lines=(), context={}, opcodes=opcodes, enough_samples=False, note=note
        )
    return _Hotspots(launch, counters, source_root).result(total, opcodes)


def lines_for(launch: KernelLaunch, counter: str, source_root: Path | None = None) -> tuple[SourceLine, ...]:
    """The lines that hold most of a counter by address (a ``LineCounter`` or ``<reason>_samples``).

    Empty where the report has no such counter, no line information, or (samples) too few of them.
    An unknown counter is a ValueError.
    """
    amounts = AddressCounters(launch).counter(counter)
    total = sum(amounts.values())
    sampled = counter.endswith("_samples")
    if launch.source is None or not total or (sampled and total < _limit("samples_per_kernel")):
        return ()
    by_place = _summed(amounts, _places(launch, amounts))
    least = max(total * _limit("share_per_finding_line") / 100, _limit("samples_per_line") if sampled else 0)
    kept = [(place, amount) for place, amount in _largest_first(by_place) if place[0] and amount >= least]
    text = _text(launch, source_root)
    return tuple(
        SourceLine(
            file=file,
            line=line,
            share_pct=100 * amount / total,
            counter=str(counter).replace("_", " "),
            text=text.line(file, line).strip(),
        )
        for (file, line), amount in kept[: int(_limit("lines_per_finding"))]
    )


class _Hotspots:
    """One kernel's counters, folded from addresses to lines (or, without lines, to single instructions)."""

    def __init__(self, launch: KernelLaunch, counters: AddressCounters, root: Path | None) -> None:
        self.launch, self.counters = launch, counters
        self.text = _text(launch, root)
        self.executed = counters.of(INSTRUCTIONS)
        self.samples = counters.of(SAMPLES)
        self.places = _places(launch, self.executed or self.samples)
        self.start = min(self.places)
        self._folded: dict[str, dict[Place, float]] = {}

    def result(self, total: int, opcodes: tuple[tuple[str, float], ...]) -> SourceHotspots:
        reasons, waiting = self._reasons()
        samples = self._by_place(self.samples)
        least = waiting * _limit("share_per_line") / 100
        ranked = [
            place
            for place, amount in _largest_first({place: sum(by.values()) for place, by in reasons.items()})
            if amount >= least and samples.get(place, 0) >= _limit("samples_per_line")
        ][: int(_limit("lines_shown"))]
        lines = tuple(self._line(place, int(samples[place]), reasons[place], waiting) for place in ranked)
        return SourceHotspots(
            samples=total,
            lines=lines,
            context=self._context(lines),
            opcodes=opcodes,
            note=self._note(lines),
        )

    def _reasons(self) -> tuple[dict[Place, dict[str, float]], float]:
        """Not-issued samples by place and reason, and their total over all reasons."""
        totals = self.counters.stall_totals()
        waiting, read = sum(totals.values()), 0.0
        by_place: dict[Place, dict[str, float]] = defaultdict(dict)
        for metric, amount in totals.items():
            for place, count in self._by_place(self.counters.of(metric)).items():
                if count:
                    by_place[place][reason_of(metric)] = count
            read += amount
            if read >= waiting * _limit("reasons_read") / 100:
                break
        return by_place, waiting

    def _line(self, place: Place, samples: int, reasons: Mapping[str, float], waiting: float) -> HotLine:
        own = sum(reasons.values())
        executed = self._at(INSTRUCTIONS, place)
        sectors, ideal = (
            self._per_request(f"memory_l2_theoretical_sectors_global{kind}", place) for kind in ("", "_ideal")
        )
        lanes = self._at("thread_inst_executed_true", place)
        file, line = place
        return HotLine(
            file=file,
            line=line,
            text=self.text.line(file, line) if file else self._sass_of(self.start + line),
            samples=samples,
            not_issued_pct=100 * own / waiting if waiting else 0.0,
            reasons=tuple((name, 100 * count / own) for name, count in _largest_first(reasons)[:3]),
            instructions=executed,
            sectors_per_request=sectors,
            ideal_sectors_per_request=ideal,
            excess_sectors=self._counter_at(LineCounter.EXCESS_SECTORS, place),
            bank_conflicts=self._counter_at(LineCounter.SHARED_CONFLICTS, place),
            local_sectors=self._at("memory_l2_theoretical_sectors_local", place),
            active_lanes_pct=100 * lanes / (executed * WARP_LANES)
            if lanes is not None and executed
            else None,
            sass=self._sass(place) if file else (),
        )

    def _sass(self, place: Place) -> tuple[SassLine, ...]:
        """The instructions of a line that hold most samples, in program order."""
        own = [address for address, found in self.places.items() if found == place]
        hottest = sorted(own, key=lambda address: -self.samples.get(address, 0.0))
        kept = [a for a in hottest[: int(_limit("instructions_per_line"))] if self.samples.get(a)]
        return tuple(
            SassLine(
                offset=address - self.start,
                text=self._sass_of(address),
                samples=int(self.samples.get(address, 0)),
                instructions=self.executed.get(address),
            )
            for address in sorted(kept)
        )

    def _sass_of(self, address: int) -> str:
        source = self.launch.source
        return " ".join(source.sass(address).split())[: int(_limit("text_width"))] if source else ""

    def _context(self, lines: tuple[HotLine, ...]) -> dict[str, tuple[tuple[int, str], ...]]:
        reach = int(_limit("context_lines"))
        wanted: dict[str, list[int]] = defaultdict(list)
        for hot in lines:
            if hot.file:
                wanted[hot.file].append(hot.line)
        around = {file: self.text.around(file, numbers, reach) for file, numbers in wanted.items()}
        return {file: found for file, found in around.items() if found}

    def _note(self, lines: tuple[HotLine, ...]) -> str:
        if lines and not any(hot.file for hot in lines):
            return "the code has no line information (compile with -lineinfo): instructions are shown"
        if self.text.from_disk:
            return "source text read from the source root; it may differ from what was compiled"
        if lines and not any(hot.text for hot in lines):
            return (
                "the report holds no source text: collect with ncu --import-source yes, or give --source-root"
            )
        return ""

    def _by_place(self, amounts: Mapping[int, float]) -> dict[Place, float]:
        return _summed(amounts, self.places)

    def _at(self, metric: str, place: Place) -> float | None:
        if metric not in self._folded:
            self._folded[metric] = self._by_place(self.counters.of(metric))
        return self._folded[metric].get(place)

    def _counter_at(self, counter: LineCounter, place: Place) -> float | None:
        if counter not in self._folded:
            self._folded[counter] = self._by_place(self.counters.counter(counter))
        return self._folded[counter].get(place)

    def _per_request(self, metric: str, place: Place) -> float | None:
        amounts = self.counters.of(metric)
        own = [address for address in amounts if self.places.get(address) == place]
        requests = sum(self.executed.get(address, 0.0) for address in own)
        return sum(amounts[address] for address in own) / requests if requests else None


def _places(launch: KernelLaunch, addresses: Iterable[int]) -> dict[int, Place]:
    """Address -> (file, line); an address without line information is its own place ("", byte offset).

    Code compiled without line information has none anywhere: three probes spare it thousands of look-ups.
    """
    known = sorted(addresses)
    source = launch.source
    if source is None or not known:
        return {}
    probes = (known[0], known[len(known) // 2], known[-1])
    if not any(source.line(address) for address in probes):
        return {address: ("", address - known[0]) for address in known}
    return {address: source.line(address) or ("", address - known[0]) for address in known}


def _summed(amounts: Mapping[int, float], places: Mapping[int, Place]) -> dict[Place, float]:
    by_place: dict[Place, float] = defaultdict(float)
    for address, amount in amounts.items():
        if place := places.get(address):
            by_place[place] += amount
    return dict(by_place)


def _largest_first(amounts: Mapping[T, float]) -> list[tuple[T, float]]:
    return sorted(amounts.items(), key=lambda item: -item[1])


def _opcode_mix(launch: KernelLaunch) -> tuple[tuple[str, float], ...]:
    counts = {
        str(opcode): count for opcode, count in launch.metrics.instances(OPCODES) if isinstance(count, float)
    }
    total = sum(counts.values())
    shown = _largest_first(counts)[: int(_limit("lines_shown"))]
    return tuple((opcode, 100 * count / total) for opcode, count in shown) if total else ()


def _text(launch: KernelLaunch, root: Path | None) -> SourceText:
    return SourceText(
        launch.source, root, file_bytes=int(_limit("file_bytes")), width=int(_limit("text_width"))
    )


@cache
def _limits() -> dict[str, float]:
    import tomllib

    text = files("ncuanalyze.analysis").joinpath("source.toml").read_text(encoding="utf-8")
    return {name: float(entry["value"]) for name, entry in tomllib.loads(text).items()}


def _limit(name: str) -> float:
    return _limits()[name]
