"""The hottest lines of one kernel, with the counters of each and the text around them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from ncuanalyze.analysis.source_counters import (
    INSTRUCTIONS,
    SAMPLES,
    WARP_LANES,
    AddressCounters,
    LineCounter,
    reason_of,
)
from ncuanalyze.analysis.source_limits import limit
from ncuanalyze.analysis.source_places import Place, largest_first, places_of, summed
from ncuanalyze.analysis.source_text import SourceText
from ncuanalyze.diagnosis import HotLine, SassLine, SourceHotspots
from ncuanalyze.profile import KernelLaunch


class Hotspots:
    """One kernel's counters, folded from addresses to lines (or, without lines, to single instructions)."""

    def __init__(self, launch: KernelLaunch, counters: AddressCounters, text: SourceText) -> None:
        self.launch, self.counters = launch, counters
        self.text = text
        self.executed = counters.of(INSTRUCTIONS)
        self.samples = counters.of(SAMPLES)
        self.places = places_of(launch, self.executed or self.samples)
        self.start = min(self.places)
        self._folded: dict[str, dict[Place, float]] = {}

    def result(self, total: int, opcodes: tuple[tuple[str, float], ...]) -> SourceHotspots:
        """The lines that hold most not-issued samples, of ``total`` samples."""
        reasons, waiting = self._reasons()
        samples = self._by_place(self.samples)
        least = waiting * limit("share_per_line") / 100
        ranked = [
            place
            for place, amount in largest_first({place: sum(by.values()) for place, by in reasons.items()})
            if amount >= least and samples.get(place, 0) >= limit("samples_per_line")
        ][: int(limit("lines_shown"))]
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
            if read >= waiting * limit("reasons_read") / 100:
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
            reasons=tuple((name, 100 * count / own) for name, count in largest_first(reasons)[:3]),
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
        kept = [a for a in hottest[: int(limit("instructions_per_line"))] if self.samples.get(a)]
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
        return " ".join(source.sass(address).split())[: int(limit("text_width"))] if source else ""

    def _context(self, lines: tuple[HotLine, ...]) -> dict[str, tuple[tuple[int, str], ...]]:
        reach = int(limit("context_lines"))
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
        return summed(amounts, self.places)

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
