"""Registers spill to local memory, or a local array is indexed dynamically.

Why it matters
    Each spill is a store and a load of 32 lanes through L1, and through L2 and DRAM where they do not fit L1.

When it fires
    Local loads and stores take at least the threshold's share of the executed instructions.

When it stays quiet
    A few spills outside the loop.

What to try
    Raise the register limit (__launch_bounds__, maxnreg), smaller tiles, fewer live values, static indices.
"""

from ncuanalyze import metrics as m
from ncuanalyze.analysis.gain import Effect
from ncuanalyze.diagnosis import Evidence, at_least, fact
from ncuanalyze.rule import Clear, Flagged, Limits, NotApplicable, Outcome, Reading, Rule


def check(kernel: Reading, limits: Limits) -> Outcome:
    """Weigh the local instructions against all, and their sectors against each level's traffic."""
    local, executed = kernel.total(m.LOCAL_LOADS, m.LOCAL_STORES), kernel.value(m.INSTRUCTIONS)
    if executed <= 0:
        return NotApplicable("no instruction was executed")
    share = at_least(
        "local loads and stores of all instructions",
        f"({m.LOCAL_LOADS.name} + {m.LOCAL_STORES.name}) / {m.INSTRUCTIONS.name}",
        100 * local / executed,
        limits["instruction_share_pct"],
        "%",
    )
    if not share.holds:
        return Clear(because=(share,))
    l1, l2 = _of_l1(kernel), _of_l2(kernel)
    return Flagged(
        message=f"Local memory takes {share.value:.3g}% of the instructions and {100 * l1:.3g}% of L1's sectors.",
        because=(share, *_registers(kernel)),
        effect=Effect(
            removes={
                "unit:issue": share.value / 100,
                "unit:lsu": l1,
                "unit:l1tex": l1,
                "unit:l2": l2,
                "unit:dram": l2,
            },
            exposed=l1 * kernel.analysis.stall_share("long_scoreboard", "lg_throttle"),
        ),
        advice=(
            "CUDA: raise the register limit (__launch_bounds__(threads, fewer blocks), drop -maxrregcount).",
            "CUDA: index local arrays with compile-time constants (unroll the loop), split the kernel.",
            "Triton: smaller BLOCK_* tiles, more num_warps (fewer values a thread), fewer num_stages.",
        ),
        resource="l1tex",
        counter="local_memory_sectors",
    )


def _of_l1(kernel: Reading) -> float:
    local = kernel.total(m.LOCAL_LOAD_SECTORS, m.LOCAL_STORE_SECTORS)
    return min(1.0, local / max(kernel.analysis.l1_sectors or 0.0, local)) if local else 0.0


def _of_l2(kernel: Reading) -> float:
    """What is left of the L1-L2 traffic once the global accesses that must pass are taken off."""
    whole = kernel.maybe(m.L2_TEX_SECTORS)
    needed = kernel.total(m.GLOBAL_LOAD_MISSES, m.GLOBAL_STORE_SECTORS)
    local = kernel.total(m.LOCAL_LOAD_MISSES, m.LOCAL_STORE_SECTORS)
    return max(0.0, min(whole - needed, local) / whole) if whole else 0.0


def _registers(kernel: Reading) -> tuple[Evidence, ...]:
    registers = kernel.maybe(m.REGISTERS)
    return () if registers is None else (fact("registers per thread", m.REGISTERS.name, registers),)


RULE = Rule(
    id="local_memory_spilling",
    title="Local memory spilling",
    requires=(m.INSTRUCTIONS, m.LOCAL_LOADS, m.LOCAL_STORES),
    optional=(
        m.LOCAL_LOAD_SECTORS,
        m.LOCAL_STORE_SECTORS,
        m.LOCAL_LOAD_MISSES,
        m.GLOBAL_LOAD_MISSES,
        m.GLOBAL_STORE_SECTORS,
        m.L2_TEX_SECTORS,
        m.REGISTERS,
    ),
    limits=("instruction_share_pct",),
    check=check,
)
