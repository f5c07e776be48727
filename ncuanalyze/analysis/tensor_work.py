"""The work that a kernel did, in FLOP (OP for integers): by the Tensor Cores, and by the other pipes."""

from __future__ import annotations

from ncuanalyze.analysis.tensor_flop import tensor_flop_counts
from ncuanalyze.analysis.thread_flop import thread_flop_counts
from ncuanalyze.profile import KernelLaunch


def tensor_flop(launch: KernelLaunch) -> float:
    """Counted operations of all tensor paths; 0 where none were counted."""
    return sum(count.flop for count in tensor_flop_counts(launch) if count.exact)


def pipe_flop(launch: KernelLaunch) -> float:
    """Counted floating-point operations of the FP16, FP32 and FP64 pipes; 0 where none were counted."""
    return sum(count.flop for count in thread_flop_counts(launch) if count.exact)
