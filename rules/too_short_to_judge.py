"""The kernel is about as long as an empty one: its counters say nothing about its code.

Why it matters
    Launching, draining and the passes' own noise are most of what is measured.

When it fires
    The duration is below the threshold.

When it stays quiet
    Longer kernels.

What to try
    Profile a larger problem, or look at the launch itself: batch, fuse, or capture a CUDA graph.
"""

from ncuanalyze import metrics as m
from ncuanalyze.diagnosis import below
from ncuanalyze.rule import Clear, Limits, NotApplicable, Outcome, Reading, Rule, Verdict


def check(kernel: Reading, limits: Limits) -> Outcome:
    """Compare the duration with an empty kernel's."""
    duration = below("duration", m.DURATION.name, kernel.value(m.DURATION), limits["duration_ns"], "ns")
    if duration.value <= 0:
        return NotApplicable("no duration")
    if not duration.holds:
        return Clear(because=(duration,))
    return Verdict(
        message=f"Too short to judge: {duration.value / 1000:.3g} µs is at most twice an empty kernel's time.",
        because=(duration,),
        advice=(
            "Profile a larger problem size to judge the code.",
            "If many such launches matter, fuse them, batch them, or capture a CUDA graph.",
        ),
    )


RULE = Rule(
    id="too_short_to_judge",
    title="Too short to judge",
    requires=(m.DURATION,),
    limits=("duration_ns",),
    kind="verdict",
    check=check,
)
