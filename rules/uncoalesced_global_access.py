"""The lanes of a warp touch more 32-byte sectors of global memory than their data fills.

Why it matters
    Every sector is moved whole: L1 serves more wavefronts, and L2 and DRAM move bytes that nobody uses.

When it fires
    Sectors requested exceed the fewest possible for the same instructions by the threshold.

When it stays quiet
    Excess that L1 hits absorb and no unit waits for: the gain is then below what can be measured.

What to try
    Neighbouring lanes on neighbouring addresses: swap loop and thread index, use structures of arrays, stage a
    transpose through shared memory, align rows to 128 bytes.
"""

from collections.abc import Iterator

from ncuanalyze import metrics as m
from ncuanalyze.analysis.gain import Effect
from ncuanalyze.diagnosis import Evidence, at_least, fact
from ncuanalyze.rule import Clear, Flagged, Limits, NotApplicable, Outcome, Reading, Rule

from ._waiting import wait_per_load

SECTOR_BYTES = 32
DATA_STAGE = ("l1tex__data_pipe_lsu_wavefronts", "l1tex__lsu_writeback_active")
"""Counters that shared memory shares with the sectors of global accesses."""


def check(kernel: Reading, limits: Limits) -> Outcome:
    """Compare the sectors requested with the fewest possible, and find what each level would save."""
    sectors, ideal = kernel.value(m.GLOBAL_SECTORS), kernel.value(m.GLOBAL_SECTORS_IDEAL)
    if ideal <= 0:
        return NotApplicable("the kernel does not access global memory through L1")
    ratio = at_least(
        "global sectors per ideal sector",
        f"{m.GLOBAL_SECTORS.name} / {m.GLOBAL_SECTORS_IDEAL.name}",
        sectors / ideal,
        limits["sectors_per_ideal"],
    )
    if not ratio.holds:
        return Clear(because=(ratio,))
    l1, l2, dram = _saved(kernel, sectors, ideal)
    tags = _saved_tags(kernel, ideal)
    stage = 1 - kernel.analysis.shared_share
    return Flagged(
        message=(
            f"Global accesses request {ratio.value:.3g} times the sectors their data fills"
            f" ({SECTOR_BYTES / ratio.value:.3g} of 32 bytes used)."
        ),
        because=(ratio, *_per_request(kernel)),
        effect=Effect(
            removes={
                "l1tex__lsuin_requests": 0.0,
                "unit:l1tex": l1,
                **dict.fromkeys(DATA_STAGE, l1 * stage),
                "lts__t_tag_requests": max(l2, tags),
                "unit:l2": l2,
                "unit:dram": dram,
            },
            exposed=l1 * kernel.analysis.stall_share("long_scoreboard", "lg_throttle", "drain")
            + l1 * stage * kernel.analysis.stall_share("mio_throttle", "short_scoreboard"),
            at_least=_latency_floor(kernel, limits),
        ),
        advice=(
            "CUDA: let consecutive threads access consecutive elements (index i * stride + threadIdx.x).",
            "Transpose through shared memory where one side must be strided; arrays instead of structures.",
            "Triton: make the contiguous dimension the last one of tl.arange, and the tensor contiguous.",
        ),
        resource="l1tex",
        counter="excess_global_sectors",
    )


def _latency_floor(kernel: Reading, limits: Limits) -> tuple[float, ...]:
    """The share of the time that lone loads take anyway: where no unit is busy, fewer sectors do not shorten it."""
    wait = wait_per_load(kernel)
    if wait is None or wait < limits["lone_wait_cycles"] or 100 * kernel.analysis.covered >= limits["covered_pct"]:
        return ()
    return (kernel.analysis.stall_share("long_scoreboard") * limits["lone_wait_cycles"] / wait,)


def _saved(kernel: Reading, sectors: float, ideal: float) -> tuple[float, float, float]:
    """Shares of the L1, L2 and DRAM work that go away: each level keeps at least the ideal sectors.

    DRAM may move more than L2 was asked for: it fetches 64 bytes for a lone sector.
    """
    in_l1 = kernel.analysis.l1_sectors or sectors
    l1 = min(1.0, (sectors - ideal) / max(in_l1, sectors))
    in_l2 = kernel.maybe(m.L2_TEX_SECTORS)
    excess = 0.0 if not in_l2 else max(0.0, min(in_l2, sectors) - ideal) / in_l2
    moved = kernel.analysis.dram_bytes
    useful = ideal * SECTOR_BYTES
    dram = max(0.0, 1 - useful / moved) if moved and excess > 0 else 0.0
    return l1, excess, dram


def _saved_tags(kernel: Reading, ideal: float) -> float:
    """Share of L2's tag lookups that go: full 128-byte lines need one for four sectors."""
    requests = kernel.maybe(m.L2_TEX_REQUESTS)
    return max(0.0, 1 - ideal / 4 / requests) if requests else 0.0


def _per_request(kernel: Reading) -> Iterator[Evidence]:
    for what, above, below in (
        ("load", m.GLOBAL_LOAD_SECTORS, m.GLOBAL_LOAD_REQUESTS),
        ("store", m.GLOBAL_STORE_SECTORS, m.GLOBAL_STORE_REQUESTS),
    ):
        count, requests = kernel.maybe(above), kernel.maybe(below)
        if count is not None and requests:
            yield fact(f"sectors per {what} request", f"{above.name} / {below.name}", count / requests)


RULE = Rule(
    id="uncoalesced_global_access",
    title="Uncoalesced global access",
    requires=(m.GLOBAL_SECTORS, m.GLOBAL_SECTORS_IDEAL),
    optional=(
        m.L2_TEX_SECTORS,
        m.L2_TEX_REQUESTS,
        m.DRAM_BYTES_PER_S,
        m.GLOBAL_LOAD_SECTORS,
        m.GLOBAL_LOAD_REQUESTS,
        m.GLOBAL_STORE_SECTORS,
        m.GLOBAL_STORE_REQUESTS,
        m.INSTRUCTIONS,
    ),
    limits=("sectors_per_ideal", "lone_wait_cycles", "covered_pct"),
    check=check,
)
