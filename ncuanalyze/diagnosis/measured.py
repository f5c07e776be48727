"""Analysed numbers of one kernel: what renderers draw and rules read. Percentages are 0-100; None is missing."""

from __future__ import annotations

from ncuanalyze.record import record


@record
class UnitLoad:
    """How busy one unit is. ``sustained_pct``: what this unit reaches in practice (None: not measured)."""

    unit: str
    metric: str
    pct: float
    sustained_pct: float | None = None


@record
class SpeedOfLight:
    """SM and memory throughput of ncu and the busiest counter of each unit, busiest first."""

    sm_pct: float | None
    memory_pct: float | None
    units: tuple[UnitLoad, ...] = ()


@record
class Occupancy:
    """Resident warps against the most that fit. ``limits``: blocks per SM that each resource allows."""

    theoretical_pct: float | None
    achieved_pct: float | None
    limiters: tuple[str, ...] = ()
    limits: dict[str, float] | None = None
    registers_per_thread: float | None = None
    shared_bytes_per_block: float | None = None
    threads_per_block: float | None = None
    waves_per_sm: float | None = None
    active_warps_per_scheduler: float | None = None
    eligible_warps_per_scheduler: float | None = None


@record
class Stall:
    """One stall reason: its warp-cycles per issued instruction and its share of the issue latency."""

    reason: str
    cycles_per_issue: float
    share_pct: float
    meaning: str = ""


@record
class Stalls:
    """Where warps wait. ``selected_pct`` is issuing, not a stall. ``matter``: schedulers often have nothing to issue.

    ``issue_active`` is warps issued a cycle and scheduler, 0-1. ``source`` is ``counters`` or ``samples``.
    """

    issue_active: float | None
    latency_cycles: float | None
    selected_pct: float | None
    reasons: tuple[Stall, ...]
    matter: bool
    source: str = "counters"


@record
class MemoryLevel:
    """One level of the memory path: ``l1``, ``l2``, ``dram``, ``host``, ``shared``, ``local``, ``peer``."""

    level: str
    bytes: float | None = None
    read_bytes: float | None = None
    write_bytes: float | None = None
    bytes_per_s: float | None = None
    throughput_pct: float | None = None
    hit_rate_pct: float | None = None
    unreliable: str = ""


@record
class Memory:
    """The memory path, nearest level first."""

    levels: tuple[MemoryLevel, ...]
    bytes_per_sector_load: float | None = None
    bytes_per_sector_store: float | None = None
    sectors_per_request_load: float | None = None
    sectors_per_request_store: float | None = None


@record
class Roof:
    """A ceiling. ``kind``: ``compute`` (``per_s`` is FLOP/s or OP/s) or ``memory`` (``per_s`` is byte/s).

    ``name`` is the label (``BF16 tensor``, ``DRAM``); ``level`` the memory level or the precision;
    ``formula``, ``counters``, ``clock_hz`` and ``source`` say where the value comes from.
    ``used``: the kernel works under this roof; otherwise it is a neighbour the kernel could move to.
    ``sustained_per_s``: what saturating kernels reach in practice (a measured ceiling), where known.
    ``achieved_per_s``: what the kernel itself moves or computes under this roof.
    """

    name: str
    kind: str
    level: str
    per_s: float
    formula: str = ""
    counters: tuple[str, ...] = ()
    clock_hz: float | None = None
    source: str = "report"
    used: bool = True
    sustained_per_s: float | None = None
    achieved_per_s: float | None = None


@record
class RooflinePoint:
    """The kernel at one memory level: intensity (FLOP/byte) and rate (FLOP/s) for one precision or for all work."""

    name: str
    level: str
    precision: str
    flop: float
    bytes: float
    intensity: float
    flop_per_s: float
    above_roof: bool = False


@record
class FlopCount:
    """Work of one precision. ``exact``: counted operations; otherwise ``basis`` says how it was derived.

    ``peak_flop_per_s`` and ``utilization_pct`` are of the instruction path really used, over the elapsed time;
    ``best_path_pct`` is against the chip's fastest path for that precision. ``instruction`` is the SASS family
    (``hgmma``, ``imma``, ...), "" where the counters do not tell.
    """

    precision: str
    path: str  # tensor | fma
    flop: float
    peak_flop_per_s: float | None
    utilization_pct: float | None
    exact: bool = True
    basis: str = ""
    accumulator: str = ""
    instruction: str = ""
    sparse: bool = False
    counter: str = ""
    flop_per_s: float | None = None
    best_path_pct: float | None = None


@record
class Roofline:
    """Roofs, points, and the distance to the nearest roof."""

    roofs: tuple[Roof, ...]
    points: tuple[RooflinePoint, ...]
    flops: tuple[FlopCount, ...] = ()
    nearest_roof: str = ""
    nearest_roof_pct: float | None = None
    algorithmic_flop: float | None = None
    algorithmic_bytes: float | None = None
    notes: tuple[str, ...] = ()


@record
class SassLine:
    """A machine instruction of a line. ``offset``: bytes from the kernel's first instruction."""

    offset: int
    text: str
    samples: int
    instructions: float | None = None


@record
class HotLine:
    """A source line by samples. ``not_issued_pct``: its share of the kernel's not-issued samples.

    ``reasons``: (stall reason, its share of this line's not-issued samples), largest first. ``instructions`` are
    executed warp instructions; ``excess_sectors`` the L2 sectors beyond what coalesced accesses would need;
    ``bank_conflicts`` the shared-memory wavefronts beyond the ideal; ``active_lanes_pct`` the lanes with work.
    Without line information ``file`` is empty, ``line`` is the byte offset of one instruction, ``text`` is that
    instruction.
    """

    file: str
    line: int
    text: str
    samples: int
    not_issued_pct: float
    reasons: tuple[tuple[str, float], ...] = ()
    instructions: float | None = None
    sectors_per_request: float | None = None
    ideal_sectors_per_request: float | None = None
    excess_sectors: float | None = None
    bank_conflicts: float | None = None
    local_sectors: float | None = None
    active_lanes_pct: float | None = None
    sass: tuple[SassLine, ...] = ()


@record
class SourceHotspots:
    """Where samples fall. ``context`` maps a file to the (line, text) pairs shown around the hot lines.

    ``opcodes``: (opcode, its share of executed warp instructions), largest first. ``enough_samples`` False:
    no line is blamed and ``note`` says why.
    """

    samples: int
    lines: tuple[HotLine, ...]
    context: dict[str, tuple[tuple[int, str], ...]]
    opcodes: tuple[tuple[str, float], ...] = ()
    enough_samples: bool = True
    note: str = ""


@record
class Utilization:
    """Algorithmic beside hardware utilisation, where the user named the operator (``--workload``)."""

    operator: str
    algorithmic_flop: float
    algorithmic_bytes: float
    algorithmic_flop_pct: float | None
    algorithmic_bandwidth_pct: float | None
    hardware_flop_pct: float | None
    hardware_bandwidth_pct: float | None
    extra_bytes_factor: float | None
    extra_flop_factor: float | None
    floor_ns: float | None
    good: str = ""
    reading: tuple[str, ...] = ()
