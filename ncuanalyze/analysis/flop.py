"""Work done, by precision: Tensor Core operations from their own counters, the rest from SASS counters."""

from __future__ import annotations

from collections.abc import Sequence

from ncuanalyze.analysis.opcode_flop import opcode_flop_counts
from ncuanalyze.analysis.tensor_flop import has_tensor_counters, tensor_flop_counts
from ncuanalyze.analysis.tensor_utilization import TensorUtilization, tensor_utilization
from ncuanalyze.analysis.thread_flop import thread_flop_counts
from ncuanalyze.diagnosis.measured import FlopCount
from ncuanalyze.profile import KernelLaunch

__all__ = ["TensorUtilization", "flop_counts", "tensor_utilization"]


def flop_counts(launch: KernelLaunch, tensor: Sequence[FlopCount] | None = None) -> tuple[FlopCount, ...]:
    """FLOP (OP for integer tensor work) by precision and instruction path, busiest first.

    Each operation is counted once; nothing at zero is listed. Source: ``sm__ops_path_tensor_*`` (a
    multiply-add is two, 2:4-sparse work counts as its dense equivalent) and
    ``smsp__sass_thread_inst_executed_op_*_pred_on``. Where no tensor counter was collected, instructions
    times their shapes stand in, with ``exact`` false. ``tensor`` saves counting the tensor paths twice.
    """
    if not has_tensor_counters(launch):
        tensor = tuple(opcode_flop_counts(launch))
    elif tensor is None:
        tensor = tensor_flop_counts(launch)
    counts = (*tensor, *thread_flop_counts(launch))
    return tuple(sorted(counts, key=lambda count: -(count.utilization_pct or 0.0)))
