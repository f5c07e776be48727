"""Write the Tensor Core roofline sections from ``tensor_families.toml``: ``python tools/tensor_sections.py``."""

from __future__ import annotations

import textwrap
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PREFIX = "sm__ops_path_tensor_"
KNOWN_ARCHS = (75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121)
OPEN_END = 999
WITH_DRAM = ((75, 86), (89, 103), (120, 120))
L1_COUNTERS = (
    ("l1tex__lsu_writeback_active_mem_lg", 75, 89),
    ("l1tex__lsu_writeback_active_mem_lgds", 90, OPEN_END),
)
L2_COUNTER = "lts__lts2xbar_cycles_active"
BYTE_SUFFIXES = (".sum.peak_sustained", ".sum.per_second")
LEVELS = ("DRAM", "L2", "L1")
CLOCKS = {"DRAM": "dram__cycles_elapsed", "L2": "lts__cycles_elapsed", "L1": "l1tex__cycles_elapsed"}
BYTES = {"DRAM": "dram__bytes", "L2": "derived__ncuanalyze_l2_bytes", "L1": "derived__ncuanalyze_l1_bytes"}

HEAD = """\
{about}
Each chart: the dense roof under DRAM, L2 and L1 bandwidth, the 2:4-sparse roof, and the kernel's point at each level.
  work   sm__ops_path_tensor_*: operations; a multiply-add is two, sparse work counts as its dense equivalent
  peak   the counter's own .sum.peak_sustained times the SM clock of the run
  bytes  DRAM: dram__bytes; L2: lts__lts2xbar_cycles_active x 32 (to the SMs); L1: LSU write-back x 128
Floor: Nsight Compute 2025.3.1, the oldest version this was run with: versions that do not know the numeric
architectures 100 to 120 drop the file. CC 8.7, 11.0 and 12.1 have no DRAM counters: their charts lack the DRAM lines.
Written by tools/tensor_sections.py: change tools/tensor_families.toml instead."""

Ranges = tuple[tuple[int, int], ...]
Lines = list[str]
EVERY_ARCH: Ranges = ((KNOWN_ARCHS[0], OPEN_END),)


@dataclass(frozen=True)
class Counter:
    """One quantity under its name on each range of compute capabilities; the first name is the base."""

    names: tuple[tuple[str, int, int], ...]

    def block(self, field: str, suffix: str) -> Lines:
        """A metric block: the base name, a filter, and an option for each other name."""
        (base, _, _), *others = self.names
        lines = [f'Name: "{base}{suffix}"']
        ranges = joined([(low, high) for _, low, high in self.names])
        if ranges != EVERY_ARCH:
            lines.append(filter_text(ranges))
        options: dict[str, list[tuple[int, int]]] = {}
        for name, low, high in others:
            options.setdefault(name, []).append((low, high))
        for name, spans in options.items():
            if name != base:
                lines.append(f'Options {{ Name: "{name}{suffix}" {filter_text(tuple(spans))} }}')
        return [f"{field} {{ {lines[0]} }}"] if len(lines) == 1 else braces(field, lines)


def operations(counters: Sequence[Sequence[Any]], sparse: bool) -> Counter | None:
    """The dense or the sparse counter of a chart; None where it has no sparse one."""
    kept = [(name, low, high) for name, low, high in counters if "{s}" in name or not sparse]
    word = "_sparsity_on" if sparse else "_sparsity_off"
    return (
        Counter(tuple((PREFIX + n.replace("{s}", word), low, high) for n, low, high in kept))
        if kept
        else None
    )


def joined(spans: Sequence[tuple[int, int]]) -> Ranges:
    """Adjacent ranges as one."""
    inside = [any(low <= arch <= high for low, high in spans) for arch in KNOWN_ARCHS]
    out: list[tuple[int, int]] = []
    for index, arch in enumerate(KNOWN_ARCHS):
        if inside[index] and index and inside[index - 1]:
            out[-1] = (out[-1][0], arch)
        elif inside[index]:
            out.append((arch, arch))
    return tuple((low, OPEN_END if high == KNOWN_ARCHS[-1] else high) for low, high in out)


def arch(number: int) -> str:
    """``CC_90``; a bare number where old versions of ncu do not know the name either."""
    return str(number) if number >= 100 else f"CC_{number}"


def span_text(low: int, high: int) -> str:
    """The limits of one range."""
    return f"MinArch: {arch(low)}" + ("" if high == OPEN_END else f" MaxArch: {arch(high)}")


def filter_text(ranges: Ranges) -> str:
    """A filter block in one line, with its limits in ``Items``: those are never overridden from outside."""
    return "Filter { " + " ".join(f"Items {{ {span_text(*each)} }}" for each in ranges) + " }"


def braces(name: str, lines: Sequence[str]) -> Lines:
    """A block over several lines."""
    return [f"{name} {{", *(f"  {line}" for line in lines), "}"]


def level_metric(field: str, level: str, name: str) -> str:
    """A byte or clock metric of one memory level, left out where the chip has no DRAM counters."""
    chips = f" {filter_text(WITH_DRAM)}" if level == "DRAM" else ""
    return f'{field} {{ Name: "{name}"{chips} }}'


def work(field: str, counter: Counter, suffix: str) -> Lines:
    """Operations a cycle times the SM clock."""
    clock = 'CyclesPerSecondMetric { Name: "sm__cycles_elapsed.avg.per_second" }'
    rate = [*counter.block("ValuePerCycleMetrics", suffix), clock]
    return braces(field, braces("ValueCyclesPerSecondExpression", rate))


def peak_traffic(level: str) -> Lines:
    """Bytes a cycle at most, times the level's clock."""
    rate = [
        level_metric("ValuePerCycleMetrics", level, f"{BYTES[level]}.sum.peak_sustained"),
        level_metric("CyclesPerSecondMetric", level, f"{CLOCKS[level]}.avg.per_second"),
    ]
    return braces("PeakTraffic", braces("ValueCyclesPerSecondExpression", rate))


def roof(counter: Counter, level: str, label: str) -> Lines:
    """A roof: what the path can do, what the level can feed."""
    peak = work("PeakWork", counter, ".sum.peak_sustained")
    return braces("Rooflines", [*peak, *peak_traffic(level), f'Options {{ Label: "{label}" }}'])


def point(counter: Counter, level: str, label: str) -> Lines:
    """The kernel: what it did, over the bytes that one level moved."""
    done = work("AchievedWork", counter, ".sum.per_cycle_elapsed")
    moved = level_metric("Metric", level, f"{BYTES[level]}.sum.per_second")
    return braces(
        "AchievedValues", [*done, f"AchievedTraffic {{ {moved} }}", f'Options {{ Label: "{label}" }}']
    )


def chart(title: str, counters: Sequence[Sequence[Any]]) -> Lines:
    """One chart of one operand type."""
    dense, sparse = operations(counters, False), operations(counters, True)
    lines = [
        f'Label: "{title}"',
        'AxisIntensity { Label: "Arithmetic intensity [operations/byte]" }',
        'AxisWork { Label: "Performance [operations/s]" }',
    ]
    assert dense is not None
    lines += [line for level in LEVELS for line in roof(dense, level, level)]
    lines += roof(sparse, "DRAM", "2:4 sparse, DRAM") if sparse else []
    lines += [line for level in LEVELS for line in point(dense, level, f"Achieved, {level}")]
    lines += (
        [line for level in LEVELS for line in point(sparse, level, f"2:4 sparse, {level}")] if sparse else []
    )
    own = joined([(low, high) for _, low, high in counters])
    every = own == EVERY_ARCH
    return braces("Items", [*([] if every else [filter_text(own)]), *braces("RooflineChart", lines)])


def within(outer: Ranges, low: int, high: int) -> Ranges:
    """The parts of some ranges between two limits."""
    parts = ((max(low, a), min(high, b)) for a, b in outer)
    return tuple((a, b) for a, b in parts if a <= b)


def cache_counters(outer: Ranges) -> tuple[tuple[str, int, Counter], ...]:
    """(level, bytes an event, counter) of the cache levels, where the section has a chart."""
    l2 = Counter(tuple((L2_COUNTER, *span) for span in outer))
    l1 = Counter(tuple((name, *span) for name, low, high in L1_COUNTERS for span in within(outer, low, high)))
    return (("l2", 32, l2), ("l1", 128, l1))


def operands(outer: Ranges) -> Lines:
    """The counters that the definitions read: ncu does not collect them by itself."""
    counters = cache_counters(outer)
    return [
        line
        for suffix in BYTE_SUFFIXES
        for *_, counter in counters
        for line in counter.block("Metrics", suffix)
    ]


def definitions(outer: Ranges) -> Lines:
    """Bytes of the two cache levels. One name may have a definition for each architecture."""
    lines: Lines = []
    for suffix in BYTE_SUFFIXES:
        for level, size, counter in cache_counters(outer):
            for name in dict.fromkeys(name for name, _, _ in counter.names):
                spans = joined([(low, high) for each, low, high in counter.names if each == name])
                lines += definition(f"{level}_bytes{suffix}", f"{name}{suffix} * {size}", spans)
    return braces("MetricDefinitions", lines)


def definition(name: str, expression: str, spans: Ranges) -> Lines:
    """One derived metric."""
    lines = [f'Name: "derived__ncuanalyze_{name}"', f'Expression: "{expression}"']
    return braces("MetricDefinitions", [*lines, *([] if spans == EVERY_ARCH else [filter_text(spans)])])


def section(identifier: str, family: dict[str, Any]) -> str:
    """The text of one section file."""
    charts = family["chart"]
    outer = joined([(low, high) for each in charts for _, low, high in each["counters"]])
    counted = [operations(each["counters"], sparse) for each in charts for sparse in (False, True)]
    totals = [line for counter in counted if counter for line in counter.block("Metrics", ".sum")]
    # No architecture limits here: nested filters without Items would inherit them (ncu 2025.3.1).
    scope = "CollectionFilter { CollectionScopes: CollectionScope_Launch }"
    body = [f'DisplayName: "{family["title"]}"']
    body += [line for each in charts for line in chart(each["title"], each["counters"])]
    lines = [
        *(
            f"# {line}".rstrip()
            for line in HEAD.format(about=textwrap.fill(family["about"].strip(), 118)).splitlines()
        ),
        f'Identifier: "{identifier}"',
        f'DisplayName: "{family["title"]}"',
        f'Description: "{family["operands"]} operations against the Tensor Core, DRAM, L2 and L1 ceilings."',
        f"Order: {family['order']}",
        *(f'Sets {{ Identifier: "{name}" }}' for name in family["sets"]),
        *braces("Filter", [scope]),
        *braces("Metrics", [*totals, *operands(outer)]),
        *definitions(outer),
        *braces("Body", body),
    ]
    return "\n".join(lines) + "\n"


def sections() -> dict[str, str]:
    """Identifier -> text of every file."""
    data = tomllib.loads(Path(__file__).with_name("tensor_families.toml").read_text(encoding="utf-8"))
    return {identifier: section(identifier, family) for identifier, family in data["family"].items()}


def main() -> None:
    """Write the files into ``sections/``."""
    folder = Path(__file__).parents[1] / "sections"
    for identifier, text in sections().items():
        (folder / f"{identifier}.section").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
