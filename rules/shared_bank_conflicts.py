"""Shared-memory accesses of one instruction fall into the same bank and are served one after the other.

Why it matters
    Each conflicting access takes a wavefront of its own in the L1 data stage.

When it fires
    The shared-memory wavefronts exceed the fewest that the same instructions need by the threshold.

When it stays quiet
    Wide accesses (64 or 128 bits) need several wavefronts without any conflict: the ideal count has them.

What to try
    Pad the row by one element, swizzle the column index by the row, or let a warp read consecutive words.
"""

from ncuanalyze import metrics as m
from ncuanalyze.analysis.gain import Effect
from ncuanalyze.diagnosis import at_least
from ncuanalyze.rule import Clear, Flagged, Limits, NotApplicable, Outcome, Reading, Rule

DATA_STAGE = ("l1tex__data_pipe_lsu_wavefronts", "l1tex__lsu_writeback_active", "l1tex__data_bank_reads")


def check(kernel: Reading, limits: Limits) -> Outcome:
    """Compare the wavefronts executed with the fewest possible."""
    wavefronts, ideal = kernel.value(m.SHARED_WAVEFRONTS), kernel.value(m.SHARED_WAVEFRONTS_IDEAL)
    if ideal <= 0:
        return NotApplicable("the kernel does not use shared memory")
    ratio = at_least(
        "shared-memory wavefronts per ideal wavefront",
        f"{m.SHARED_WAVEFRONTS.name} / {m.SHARED_WAVEFRONTS_IDEAL.name}",
        wavefronts / ideal,
        limits["wavefronts_per_ideal"],
    )
    if not ratio.holds:
        return Clear(because=(ratio,))
    share = min(1.0, (wavefronts - ideal) / max(kernel.analysis.l1_wavefronts or 0.0, wavefronts))
    return Flagged(
        message=f"Shared-memory instructions take {ratio.value:.3g} times the wavefronts they need.",
        because=(ratio,),
        effect=Effect(
            removes=dict.fromkeys(DATA_STAGE, share),
            exposed=share * kernel.analysis.stall_share("short_scoreboard", "mio_throttle"),
        ),
        advice=(
            "CUDA: pad the leading dimension (tile[32][33]) or XOR the column with the row.",
            "Triton: choose a tile or an order in which a warp's lanes read consecutive words.",
        ),
        resource="shared",
        counter="excess_shared_wavefronts",
    )


RULE = Rule(
    id="shared_bank_conflicts",
    title="Shared-memory bank conflicts",
    requires=(m.SHARED_WAVEFRONTS, m.SHARED_WAVEFRONTS_IDEAL),
    limits=("wavefronts_per_ideal",),
    check=check,
)
