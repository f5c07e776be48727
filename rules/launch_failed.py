"""The launch failed, so that nothing was measured.

Why it matters
    Every counter is NaN; the kernel's results are undefined.

When it fires
    The report marks the launch as failed.

When it stays quiet
    Otherwise.

What to try
    compute-sanitizer on the program, then profile again.
"""

from ncuanalyze.rule import Clear, Limits, Outcome, Reading, Rule, Verdict


def check(kernel: Reading, limits: Limits) -> Outcome:
    """Take the report's word."""
    if not kernel.analysis.launch.failed:
        return Clear()
    return Verdict(
        message="The launch failed: no data.",
        because=(),
        advice=("Run the program under compute-sanitizer, fix the error it reports, and profile again.",),
    )


RULE = Rule(id="launch_failed", title="Launch failed", kind="verdict", check=check)
