"""Lanes of a warp, or warps of a block, update the same shared-memory address by atomics.

Why it matters
    Updates of one address are served one after the other; each takes a wavefront, and a compare-and-swap loop
    executes again for every loser.

When it fires
    Shared atomics take many wavefronts an instruction and a large share of the L1 data stage or of the waiting.

When it stays quiet
    Atomics on distinct addresses.

What to try
    Warp-level reduction before the atomic, private counters a warp, native integer atomics.
"""

from ncuanalyze import metrics as m
from ncuanalyze.analysis.gain import Effect
from ncuanalyze.diagnosis import at_least
from ncuanalyze.rule import Clear, Flagged, Limits, NotApplicable, Outcome, Reading, Rule


def check(kernel: Reading, limits: Limits) -> Outcome:
    """Count the wavefronts of an atomic instruction, and what they are of all."""
    atomics, wavefronts = kernel.value(m.SHARED_ATOMICS), kernel.value(m.SHARED_ATOMIC_WAVEFRONTS)
    if atomics <= 0:
        return NotApplicable("no shared-memory atomics")
    each = at_least(
        "wavefronts per shared atomic instruction",
        f"{m.SHARED_ATOMIC_WAVEFRONTS.name} / {m.SHARED_ATOMICS.name}",
        wavefronts / atomics,
        limits["wavefronts_per_atomic"],
    )
    of_all = wavefronts / max(kernel.analysis.l1_wavefronts or 0.0, wavefronts, 1.0)
    share = at_least(
        "shared atomics of all L1 wavefronts",
        f"{m.SHARED_ATOMIC_WAVEFRONTS.name} / {m.L1_WAVEFRONTS.name}",
        100 * of_all,
        limits["wavefront_share_pct"],
        "%",
    )
    if not (each.holds and share.holds):
        return Clear(because=(each, share))
    removed = 1 - 1 / each.value
    waiting = kernel.analysis.stall_share("short_scoreboard", "mio_throttle", "branch_resolving", "wait")
    return Flagged(
        message=f"A shared-memory atomic takes {each.value:.3g} wavefronts: its lanes meet on the same addresses.",
        because=(each, share),
        effect=Effect(
            removes={
                "unit:shared": of_all * removed,
                "unit:l1tex": of_all * removed,
                "unit:lsu": of_all * removed,
            },
            exposed=removed * waiting,
        ),
        advice=(
            "CUDA: aggregate in the warp first (__match_any_sync, __reduce_add_sync): one atomic an address.",
            "Private histograms a warp, merged at the end; more bins than hot values.",
            "Use native atomics (int, unsigned): a float maximum or a double add is a compare-and-swap loop.",
        ),
        resource="shared",
        counter="atomic_instructions",
    )


RULE = Rule(
    id="shared_atomic_contention",
    title="Shared-memory atomics on few addresses",
    requires=(m.SHARED_ATOMICS, m.SHARED_ATOMIC_WAVEFRONTS),
    limits=("wavefronts_per_atomic", "wavefront_share_pct"),
    check=check,
)
