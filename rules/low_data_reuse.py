"""Operands are loaded again for nearly every operation instead of being kept in registers or shared memory.

Why it matters
    The load/store unit, L1 or L2 is busy with the same values while the arithmetic pipes wait.

When it fires
    Few additions, multiplications or multiply-adds a load instruction, with the load path busy. Tensor Cores: few FLOP
    a byte from L2, with the memory path busier than the tensor pipe.

When it stays quiet
    Streaming kernels, which have nothing to reuse: their FLOP per DRAM byte is low too. Loads of new data, which L2
    sends nearly as often as they ask for it. Sums of what is in shared memory: one addition a load is all they need.

What to try
    Larger tiles in registers and shared memory.
"""

from ncuanalyze import metrics as m
from ncuanalyze.analysis.gain import Effect
from ncuanalyze.diagnosis import Confidence, Evidence, at_least, below
from ncuanalyze.rule import Clear, Flagged, Limits, NotApplicable, Outcome, Reading, Rule

SECTOR_BYTES = 32
FMA_LANES = 128
"""Lanes of an SM's FMA pipes on chips with 128 FP32 units; with 64 the share of addresses is underestimated."""
ARITHMETIC = (m.FADD, m.FMUL, m.FFMA, m.DADD, m.DMUL, m.DFMA)


def check(kernel: Reading, limits: Limits) -> Outcome:
    """Tensor kernels by FLOP a byte of L2, others by FMA a load."""
    flop = kernel.analysis.tensor_flop
    return _tensor(kernel, flop, limits) if flop else _fma(kernel, limits)


def _tensor(kernel: Reading, flop: float, limits: Limits) -> Outcome:
    sectors, tensor = kernel.maybe(m.L2_TEX_SECTORS), kernel.analysis.tensor
    moved = kernel.analysis.dram_bytes
    if not sectors or tensor is None or not moved:
        return NotApplicable("L2 traffic was not collected")
    local = kernel.total(m.LOCAL_LOAD_MISSES, m.LOCAL_STORE_SECTORS)
    sectors = max(sectors - local, 1.0)
    reuse = below(
        "tensor FLOP per byte between L1 and L2",
        f"FLOP / ({m.L2_TEX_SECTORS.name} * 32 B)",
        flop / (sectors * SECTOR_BYTES),
        limits["flop_per_l2_byte"],
        "FLOP/byte",
    )
    needed = at_least(
        "tensor FLOP per DRAM byte",
        "FLOP / DRAM bytes",
        flop / moved,
        limits["flop_per_dram_byte"],
        "FLOP/byte",
    )
    memory = max(100 * kernel.analysis.unit_busy(unit) for unit in ("l1tex", "shared", "l2"))
    path = at_least("busiest cache level", "Speed Of Light breakdown", memory, limits["memory_pct"], "%")
    if not (reuse.holds and needed.holds and path.holds and memory > tensor.best_pct):
        return Clear(because=(reuse, needed, path))
    return Flagged(
        message=f"Only {reuse.value:.3g} FLOP are done with each byte from L2: the tile is too small.",
        because=(reuse, path),
        effect=Effect(
            removes={"unit:tensor": _by_better_instructions(kernel, tensor.best_pct, tensor.path_pct)},
            ignores=frozenset(("l1tex", "shared", "l2", "lsu", "issue", "alu", "fma", "xu")),
            exposed=1.0,
            latency=True,
        ),
        advice=(
            "Triton: larger BLOCK_M and BLOCK_N (128x128, 128x256), BLOCK_K 64, num_warps=8, num_stages=3 or 4.",
            "CUDA: larger thread-block and warp tiles (CUTLASS: 128x256x64 with two consumer warp groups).",
        ),
        resource="l2",
    )


def _by_better_instructions(kernel: Reading, best_pct: float, path_pct: float) -> float:
    """Share of the tensor work that goes: larger tiles make Triton take other instructions, in CUDA not."""
    return 1 - best_pct / max(path_pct, 1e-9) if kernel.analysis.language != "cuda" else 0.0


def _fma(kernel: Reading, limits: Limits) -> Outcome:
    loads = kernel.total(m.GLOBAL_LOADS, m.SHARED_LOADS)
    issue, executed = kernel.analysis.busy("sm__inst_executed"), kernel.value(m.INSTRUCTIONS)
    slots = issue * kernel.value(m.SM_COUNT) * 4
    staged = 2 * kernel.total(m.SHARED_LOADS) >= loads
    fused = kernel.total(m.FFMA, m.DFMA)
    rate = fused if staged else kernel.total(*ARITHMETIC)
    multiplies = 2 * fused >= rate
    what = "FFMA + DFMA" if staged else "FADD + FMUL + FFMA and the same of FP64"
    if not loads or not rate or slots <= 0 or executed <= 0:
        return NotApplicable("no arithmetic on loaded values")
    fma, word = rate / 32 / slots * executed, "multiply-add" if multiplies else "floating-point operation"
    again = None if staged else _asked_again(kernel, limits)
    if again is not None and not again.holds:
        return Clear(because=(again,))
    reuse = below(
        f"{word}s per load instruction",
        f"({what}) / (global + shared loads)",
        fma / loads,
        limits["fma_per_load" if multiplies else "additions_per_load"],
    )
    path = at_least(
        "busiest of load/store unit, L1 and shared memory",
        "Speed Of Light breakdown",
        max(100 * kernel.analysis.unit_busy(unit) for unit in ("l1tex", "shared", "lsu")),
        limits["memory_pct"],
        "%",
    )
    streaming = 100 * kernel.analysis.unit_busy("dram") >= limits["streaming_dram_pct"]
    working = at_least(
        f"{word}s of all instructions",
        f"({what}) / instructions",
        100 * fma / executed,
        limits["fma_share_pct"],
        "%",
    )
    if streaming or not (reuse.holds and path.holds and working.holds):
        return Clear(because=(reuse, path, working))
    kept = 1 - 1 / limits["register_tile_reuse"]
    return Flagged(
        message=f"Each {word} costs {loads / fma:.3g} loads: operands are not kept in registers.",
        because=(reuse, path, working),
        effect=Effect(
            removes={
                "unit:lsu": kept,
                "unit:l1tex": kept,
                "unit:shared": kept,
                "unit:l2": kept,
                "unit:issue": kept * loads / executed,
                "unit:fma": kept * _addresses(kernel, rate),
            },
            exposed=kept
            * kernel.analysis.stall_share("long_scoreboard", "lg_throttle", "mio_throttle", "short_scoreboard"),
        ),
        advice=(
            "CUDA: let each thread compute a tile of 4x4 to 8x8 outputs from registers, fed from shared memory.",
            "Matrix products: use cuBLAS or CUTLASS; with TF32, BF16 or FP16 inputs they run on Tensor Cores.",
            "Triton: tl.dot on tiles instead of element-wise products and sums.",
        ),
        confidence=Confidence.HIGH,
        resource="lsu",
    )


def _addresses(kernel: Reading, rate: float) -> float:
    """Share of the FMA pipe's work that is no floating point: the integer products that make the loads' addresses."""
    busy = kernel.analysis.busy("sm__pipe_fma_cycles_active")
    single = min(rate, kernel.total(m.FADD, m.FMUL, m.FFMA))
    return max(0.0, 1 - single / (FMA_LANES * kernel.value(m.SM_COUNT)) / busy) if busy else 0.0


def _asked_again(kernel: Reading, limits: Limits) -> Evidence | None:
    """How often the loads ask for each byte that L2 sends; None where that was not counted.

    Data that every load sees for the first time (a table at random, a list, a stream out of L2) cannot be kept.
    """
    bytes_each, sectors = kernel.maybe(m.GLOBAL_LOAD_BYTES_PER_SECTOR), kernel.maybe(m.GLOBAL_LOAD_SECTORS)
    misses = kernel.maybe(m.GLOBAL_LOAD_MISSES)
    if bytes_each is None or sectors is None or not misses:
        return None
    return at_least(
        "bytes that loads ask for per byte from L2",
        f"{m.GLOBAL_LOAD_BYTES_PER_SECTOR.name} * {m.GLOBAL_LOAD_SECTORS.name} / ({m.GLOBAL_LOAD_MISSES.name} * 32 B)",
        bytes_each * sectors / (misses * SECTOR_BYTES),
        limits["asked_again"],
        "x",
    )


RULE = Rule(
    id="low_data_reuse",
    title="Little reuse of loaded data",
    requires=(m.INSTRUCTIONS, m.SM_COUNT),
    optional=(
        *ARITHMETIC,
        m.GLOBAL_LOAD_BYTES_PER_SECTOR,
        m.GLOBAL_LOAD_SECTORS,
        m.GLOBAL_LOAD_MISSES,
        m.GLOBAL_LOADS,
        m.SHARED_LOADS,
        m.L2_TEX_SECTORS,
        m.DRAM_BYTES_PER_S,
        m.LOCAL_LOAD_MISSES,
        m.LOCAL_STORE_SECTORS,
    ),
    limits=(
        "flop_per_l2_byte",
        "flop_per_dram_byte",
        "memory_pct",
        "asked_again",
        "fma_per_load",
        "additions_per_load",
        "fma_share_pct",
        "streaming_dram_pct",
        "register_tile_reuse",
    ),
    check=check,
)
