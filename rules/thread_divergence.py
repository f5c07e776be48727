"""Lanes of a warp take different paths, so that each instruction runs for some of them only.

Why it matters
    Both sides of a branch are issued for the warp; lanes that are not on the path wait.

When it fires
    The average instruction runs for fewer lanes than the threshold, beyond what partial warps explain.

When it stays quiet
    Memory-bound kernels, and short reductions at the end of a block.

What to try
    Let whole warps take one path: sort or bin the work, branch on the warp's index, predicate short bodies.
"""

import math

from ncuanalyze import metrics as m
from ncuanalyze.analysis.gain import Effect
from ncuanalyze.diagnosis import Confidence, Evidence, below
from ncuanalyze.rule import Clear, Flagged, Limits, NotApplicable, Outcome, Reading, Rule

from ._waiting import POLLS, spins

PIPES = ("issue", "fma", "alu", "fp64", "fp16", "xu")


def check(kernel: Reading, limits: Limits) -> Outcome:
    """Compare the active lanes of an instruction with those that have a thread."""
    if spins(kernel):
        return NotApplicable(POLLS)
    full = _lanes_with_thread(kernel)
    lanes = below(
        "active lanes per instruction",
        m.THREADS_PER_INSTRUCTION.name,
        kernel.value(m.THREADS_PER_INSTRUCTION),
        limits["lanes"] * full / 32,
    )
    on = kernel.maybe(m.ACTIVE_THREADS_PER_INSTRUCTION)
    predicated = (
        None
        if on is None
        else below(
            "lanes not predicated off",
            m.ACTIVE_THREADS_PER_INSTRUCTION.name,
            on,
            limits["predicated_lanes"] * full / 32,
        )
    )
    if lanes.holds:
        return _flag(lanes.value, full, (lanes,), Confidence.HIGH)
    if predicated is not None and predicated.holds:
        return _flag(predicated.value, full, (predicated,), Confidence.MEDIUM)
    return Clear(because=(lanes,))


def _lanes_with_thread(kernel: Reading) -> float:
    threads = kernel.maybe(m.BLOCK_SIZE) or 32.0
    return threads / math.ceil(threads / 32)


def _flag(active: float, full: float, because: tuple[Evidence, ...], confidence: Confidence) -> Flagged:
    idle = 1 - active / full
    return Flagged(
        message=f"The average instruction runs for {active:.3g} of {full:.3g} lanes.",
        because=because,
        effect=Effect(removes={f"unit:{unit}": idle for unit in PIPES}, exposed=idle),
        advice=(
            "CUDA: branch on values that are the same in a warp; sort or bin the elements by path first.",
            "CUDA: replace short branches by arithmetic or selects; loop to the warp's maximum, not a lane's own.",
            "Triton: avoid tl.where on expensive sides; split the kernel by case.",
        ),
        confidence=confidence,
        resource="issue",
        counter="idle_lanes",
    )


RULE = Rule(
    id="thread_divergence",
    title="Thread divergence",
    requires=(m.THREADS_PER_INSTRUCTION,),
    optional=(m.ACTIVE_THREADS_PER_INSTRUCTION, m.BLOCK_SIZE),
    limits=("lanes", "predicated_lanes"),
    check=check,
)
