"""Each thread loads or stores one, two or four bytes at a time.

Why it matters
    A load instruction costs the same slot in the load/store unit whether it moves 1 or 16 bytes a thread, and fewer
    bytes are in flight.

When it fires
    The average access is narrower than the threshold and the load/store path or its latency is what the kernel waits
    for.

When it stays quiet
    Kernels that saturate DRAM or L2 with narrow accesses: wider ones move the same bytes. Loads of one word by all
    lanes.

What to try
    Vector loads (float4, uint4), several elements a thread, alignment to 16 bytes.
"""

from ncuanalyze import metrics as m
from ncuanalyze.analysis.gain import Effect
from ncuanalyze.diagnosis import Confidence, at_least, below
from ncuanalyze.rule import Clear, Flagged, Limits, NotApplicable, Outcome, Reading, Rule

SECTOR_BYTES = 32
LANES = 32
WIDEST_BYTES = 16
REASONS = ("lg_throttle", "long_scoreboard", "mio_throttle")


def check(kernel: Reading, limits: Limits) -> Outcome:
    """Bytes a lane and request, and what requests of 16 bytes a lane would save."""
    requests = kernel.total(m.GLOBAL_LOAD_REQUESTS, m.GLOBAL_STORE_REQUESTS)
    ideal = kernel.value(m.GLOBAL_SECTORS_IDEAL)
    if requests <= 0 or ideal <= 0:
        return NotApplicable("no global accesses through L1")
    if _uniform(kernel):
        return NotApplicable("a load moves less than a byte a lane: lanes share a word, or idle")
    width = below(
        "bytes a thread and access",
        f"{m.GLOBAL_SECTORS_IDEAL.name} * 32 B / 32 lanes / requests",
        ideal * SECTOR_BYTES / 32 / requests,
        limits["bytes_per_access"],
        "byte",
    )
    share = at_least(
        "global accesses of all instructions",
        f"({m.GLOBAL_LOAD_REQUESTS.name} + {m.GLOBAL_STORE_REQUESTS.name}) / {m.INSTRUCTIONS.name}",
        100 * requests / max(kernel.value(m.INSTRUCTIONS), 1.0),
        limits["access_share_pct"],
        "%",
    )
    if not (width.holds and share.holds):
        return Clear(because=(width, share))
    saved = 1 - width.value / WIDEST_BYTES
    return Flagged(
        message=f"The average global access moves {width.value:.3g} bytes a thread; up to 16 fit one instruction.",
        because=(width, share),
        effect=Effect(
            removes={
                "unit:lsu": saved * _global_share(kernel, requests),
                "unit:issue": saved * share.value / 100,
                "l1tex__data_pipe_lsu_wavefronts": saved * _global_share(kernel, requests),
                "l1tex__lsu_writeback_active": saved * _global_share(kernel, requests),
            },
            exposed=saved * kernel.analysis.stall_share(*REASONS),
            latency=True,
        ),
        advice=(
            "CUDA: load float4/uint4 (16 bytes) a thread through a reinterpreted, 16-byte aligned pointer.",
            "CUDA: several neighbouring elements a thread; __builtin_assume_aligned or aligned types.",
            "Triton: a BLOCK of at least 8 fp16 or 4 fp32 elements a thread (BLOCK / (32 * num_warps)), contiguous; "
            "tl.multiple_of and tl.max_contiguous help the compiler to vectorise.",
        ),
        confidence=Confidence.HIGH if width.value < limits["surely_narrow_bytes"] else Confidence.LOW,
        resource="lsu",
    )


def _uniform(kernel: Reading) -> bool:
    """Less than a byte a lane and load: the lanes share what they load, or idle, and its width is not known."""
    loads, sectors = kernel.value(m.GLOBAL_LOAD_REQUESTS), kernel.maybe(m.GLOBAL_LOAD_SECTORS)
    each = kernel.maybe(m.GLOBAL_LOAD_BYTES_PER_SECTOR)
    stores = kernel.total(m.GLOBAL_STORE_REQUESTS)
    return sectors is not None and each is not None and loads > stores and each * sectors < LANES * loads


def _global_share(kernel: Reading, requests: float) -> float:
    """Global requests of everything that passes the L1 data stage; one request is at least one wavefront."""
    wavefronts = kernel.analysis.l1_wavefronts
    return min(1.0, requests / wavefronts) if wavefronts else 1.0


RULE = Rule(
    id="narrow_global_accesses",
    title="Narrow global accesses",
    requires=(m.GLOBAL_SECTORS_IDEAL, m.INSTRUCTIONS, m.GLOBAL_LOAD_REQUESTS),
    optional=(m.GLOBAL_STORE_REQUESTS, m.GLOBAL_LOAD_SECTORS, m.GLOBAL_LOAD_BYTES_PER_SECTOR),
    limits=("bytes_per_access", "surely_narrow_bytes", "access_share_pct"),
    check=check,
)
