"""Diagnoses written out by hand, for the tests of every renderer."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ncuanalyze.diagnosis import (
    Bound,
    Confidence,
    Device,
    Diagnosis,
    Evidence,
    Finding,
    FlopCount,
    HotLine,
    Kernel,
    KernelDiagnosis,
    KernelGroup,
    Memory,
    MemoryLevel,
    MetricValue,
    Missing,
    NvidiaResult,
    NvidiaVerdict,
    Occupancy,
    Roof,
    Roofline,
    RooflinePoint,
    SassLine,
    Severity,
    Source,
    SourceHotspots,
    SourceLine,
    SpeedOfLight,
    Speedup,
    Stall,
    Stalls,
    UnitLoad,
)

FILE = "/app/kernels/norm.py"

DRAM_BUSY = Evidence(
    label="DRAM throughput",
    metric="gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed",
    value=91.3,
    unit="%",
    relation=">=",
    limit=80.0,
)
COALESCING = Finding(
    id="uncoalesced_global_access",
    title="Global accesses are not coalesced",
    message="A warp's load touches 32 sectors where 4 would hold its data.",
    advice=("Let neighbouring threads read neighbouring addresses.", "Stage the tile through shared memory."),
    severity=Severity.ERROR,
    confidence=Confidence.HIGH,
    evidence=(
        Evidence(
            label="excess sectors",
            metric="memory_l2_theoretical_sectors_global - memory_l2_theoretical_sectors_global_ideal",
            value=23592960.0,
            unit="sector",
            relation=">",
            limit=0.0,
        ),
    ),
    speedup=Speedup(low=1.4, estimate=1.9, high=2.3),
    resource="dram",
    source_lines=(
        SourceLine(file=FILE, line=83, share_pct=97.4, counter="excess global sectors", text="v = load(x)"),
    ),
)
OCCUPANCY = Finding(
    id="occupancy_limited_by_registers",
    title="Registers limit the resident warps",
    message="Each thread holds 168 registers: 3 blocks fit on an SM.",
    advice=("Cap the registers with __launch_bounds__.",),
    severity=Severity.WARNING,
    confidence=Confidence.LOW,
    speedup=Speedup(low=1.0, estimate=1.08, high=1.3),
    overlaps="uncoalesced_global_access",
)
ROOFLINE = Roofline(
    roofs=(
        Roof(name="FP32 FMA", kind="compute", level="fp32", per_s=66.9e12, sustained_per_s=60e12),
        Roof(name="DRAM", kind="memory", level="dram", per_s=4.8e12, sustained_per_s=4.4e12),
        Roof(name="L2", kind="memory", level="l2", per_s=9.6e12, used=False),
    ),
    points=(
        RooflinePoint(
            name="FP32 at DRAM",
            level="dram",
            precision="fp32",
            flop=8.4e6,
            bytes=33.5e6,
            intensity=0.25,
            flop_per_s=1.1e12,
        ),
    ),
    flops=(
        FlopCount(precision="fp32", path="fma", flop=8.4e6, peak_flop_per_s=66.9e12, utilization_pct=1.6),
    ),
    nearest_roof="DRAM",
    nearest_roof_pct=91.3,
)
STALLS = Stalls(
    issue_active=0.12,
    latency_cycles=84.2,
    selected_pct=1.2,
    reasons=(
        Stall(
            reason="long_scoreboard", cycles_per_issue=71.0, share_pct=84.3, meaning="waits for global memory"
        ),
        Stall(reason="barrier", cycles_per_issue=6.1, share_pct=7.2, meaning="waits for the block's barrier"),
        Stall(reason="wait", cycles_per_issue=0.5, share_pct=0.6),
    ),
    matter=True,
)
MEMORY = Memory(
    levels=(
        MemoryLevel(level="shared", bytes=2.1e6),
        MemoryLevel(level="l1", bytes=134e6, bytes_per_s=18e12, throughput_pct=44.0, hit_rate_pct=38.0),
        MemoryLevel(
            level="l2",
            bytes=83e6,
            read_bytes=80e6,
            write_bytes=3e6,
            throughput_pct=51.0,
            hit_rate_pct=171.0,
            unreliable="hit rate above 100%",
        ),
        MemoryLevel(level="dram", bytes=33.5e6, bytes_per_s=4.38e12, throughput_pct=91.3),
    ),
    bytes_per_sector_load=4.0,
    sectors_per_request_load=32.0,
)
HOTSPOTS = SourceHotspots(
    samples=1823,
    lines=(
        HotLine(
            file=FILE,
            line=83,
            text="    v = load(x + r*n + i)",
            samples=1133,
            not_issued_pct=67.2,
            reasons=(("long_scoreboard", 96.0), ("short_scoreboard", 2.0)),
            instructions=1409024.0,
            sectors_per_request=32.0,
            ideal_sectors_per_request=4.0,
            excess_sectors=23592960.0,
            active_lanes_pct=100.0,
            sass=(
                SassLine(offset=0x1F0, text="LDG.E R6, desc[UR4][R6.64]", samples=901, instructions=32768.0),
            ),
        ),
        HotLine(file=FILE, line=85, text="    s = sum(v * v)", samples=324, not_issued_pct=16.0),
    ),
    context={
        FILE: (
            (82, "    r = program_id(0)"),
            (83, "    v = load(x + r*n + i)"),
            (84, ""),
            (85, "    s = sum(v * v)"),
        )
    },
    opcodes=(("FMUL", 23.9), ("LDG", 20.6)),
)


def kernel(**changes: Any) -> KernelDiagnosis:
    """A memory-bound kernel with everything a renderer can show; ``changes`` replace fields."""
    full = KernelDiagnosis(
        kernel=Kernel(
            id="0",
            name="norm_kernel",
            demangled="void app::norm_kernel<float, (int)8>(float const *, float *, int)",
            grid=(4096, 1, 1),
            block=(128, 1, 1),
            nvtx=("train", "norm"),
            language="cuda",
        ),
        duration_ns=7660.0,
        time_share_pct=61.5,
        cycles=14012.0,
        bound=Bound.MEMORY,
        bound_evidence=(DRAM_BUSY,),
        bound_note="",
        nvidia_verdict=NvidiaVerdict(title="Memory throughput is high", bound=Bound.MEMORY),
        limiter="dram",
        at_roofline=False,
        summary="Memory-bound: DRAM is busy 91.3% of the time, and half of what it moves is never used.",
        headroom_pct=47.0,
        sm_clock_hz=1.83e9,
        speed_of_light=SpeedOfLight(
            sm_pct=12.0,
            memory_pct=91.3,
            units=(
                UnitLoad(unit="dram", metric="gpu__dram_throughput", pct=91.3, sustained_pct=92.0),
                UnitLoad(unit="l2", metric="lts__t_sectors", pct=51.0),
                UnitLoad(unit="issue", metric="sm__inst_issued", pct=12.0),
            ),
        ),
        roofline=ROOFLINE,
        occupancy=Occupancy(
            theoretical_pct=18.75,
            achieved_pct=17.9,
            limiters=("registers",),
            limits={"registers": 3.0, "shared memory": 8.0, "warps": 16.0, "blocks": 32.0},
            registers_per_thread=168.0,
            shared_bytes_per_block=2048.0,
            threads_per_block=128.0,
            waves_per_sm=10.3,
        ),
        stalls=STALLS,
        memory=MEMORY,
        source_hotspots=HOTSPOTS,
        launch={"registers": 168.0},
        findings=(COALESCING, OCCUPANCY),
        missing=(Missing(what="PM sampling", reason="not collected", collect="ncu --section PmSampling"),),
        nvidia_results=(
            NvidiaResult(
                rule="SOLBottleneck",
                section="SpeedOfLight",
                title="High memory throughput",
                message="Memory is more heavily utilized than compute.",
                kind="ok",
                links=(("Kernel Profiling Guide", "https://docs.nvidia.com/nsight-compute/"),),
            ),
        ),
        metrics=(
            MetricValue(name="gpu__time_duration.sum", value=7660.0, unit="ns"),
            MetricValue(name="sm__cycles_active.avg", value=None, missing="collected, but NaN or infinite"),
            MetricValue(name="launch__func_cache_config", value="CachePreferNone"),
        ),
    )
    return replace(full, **changes)


def alike_launches(count: int) -> tuple[KernelDiagnosis, ...]:
    """Launches of one kernel that differ in their time and their innermost range."""
    full = kernel()
    return tuple(
        replace(
            full,
            kernel=replace(full.kernel, id=str(100 + number), nvtx=("train", f"step {number}")),
            duration_ns=1000.0 * (number + 1),
            time_share_pct=1.0 + number,
        )
        for number in range(count)
    )


def bare_kernel(**changes: Any) -> KernelDiagnosis:
    """A launch of which the report says next to nothing."""
    empty = KernelDiagnosis(
        kernel=Kernel(id="1", name="bare", demangled="bare"),
        duration_ns=None,
        time_share_pct=None,
        cycles=None,
        bound=Bound.INCONCLUSIVE,
        bound_evidence=(),
        bound_note="neither throughput was collected",
        nvidia_verdict=None,
        limiter=None,
        at_roofline=False,
        summary="Inconclusive: the report holds no throughput.",
    )
    return replace(empty, **changes)


def diagnosis(*kernels: KernelDiagnosis, **changes: Any) -> Diagnosis:
    """A report of the given kernels (default: the full one and the bare one)."""
    full = Diagnosis(
        source=Source(
            file="norm.ncu-rep",
            format="ncu-rep",
            ncu_version="2025.3.1",
            clock_control="none",
            cache_control="all",
            replay_mode="kernel",
        ),
        device=Device(name="NVIDIA H200", compute_capability="9.0", sm_count=132, chip="gh100"),
        kernels=kernels or (kernel(), bare_kernel()),
        tool="ncuanalyze 0.1.0",
        total_ns=12455.0,
        story="Two kernels take 12.5 µs; norm_kernel takes 61.5% of it and could run 1.9 times as fast.",
        groups=(
            KernelGroup(
                name="norm_kernel",
                kernels=("0", "1"),
                total_ns=12455.0,
                share_pct=100.0,
                minimum_ns=4795.0,
                median_ns=6227.5,
                maximum_ns=7660.0,
            ),
        ),
        warnings=("The clocks were not locked: times vary between runs.",),
    )
    return replace(full, **changes)
