"""The work that the Tensor Cores did, in FLOP (OP for integers)."""

from __future__ import annotations

from ncuanalyze.analysis.tensor_flop import tensor_flop_counts
from ncuanalyze.profile import KernelLaunch


def tensor_flop(launch: KernelLaunch) -> float:
    """Counted operations of all tensor paths; 0 where none were counted."""
    return sum(count.flop for count in tensor_flop_counts(launch) if count.exact)
