"""How busy the Tensor Cores are: the share of the peak of the path used, and of the chip's best path."""

from __future__ import annotations

from collections.abc import Sequence

from ncuanalyze.analysis.tensor_flop import tensor_flop_counts
from ncuanalyze.diagnosis.measured import FlopCount
from ncuanalyze.profile import KernelLaunch
from ncuanalyze.record import record

ISSUE_RATES = (  # busiest of these, where no operation was counted; the elapsed basis before the active one
    "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed",
    "sm__inst_executed_pipe_tensor.avg.pct_of_peak_sustained_elapsed",
    "sm__pipe_tensor_cycles_active_v2.avg.pct_of_peak_sustained_elapsed",
    "sm__pipe_tensor_op_hmma_cycles_active.avg.pct_of_peak_sustained_elapsed",
    "sm__pipe_tensor_op_imma_cycles_active.avg.pct_of_peak_sustained_elapsed",
    "sm__pipe_tensor_op_dmma_cycles_active.avg.pct_of_peak_sustained_elapsed",
)
ACTIVE_RATES = (
    "sm__inst_executed_pipe_tensor_op_hmma.avg.pct_of_peak_sustained_active",
    "sm__inst_executed_pipe_tensor_op_imma.avg.pct_of_peak_sustained_active",
    "sm__inst_executed_pipe_tensor_op_dmma.avg.pct_of_peak_sustained_active",
    "sm__pipe_tensor_op_hmma_cycles_active.avg.pct_of_peak_sustained_active",
    "sm__pipe_tensor_op_imma_cycles_active.avg.pct_of_peak_sustained_active",
)


@record
class TensorUtilization:
    """The tensor pipes' load over the elapsed time, 0-100.

    ``path_pct``: the busiest path against its own peak. ``total_pct``: all paths together, each against its
    own peak (they share the pipe, so this is the share of time it works). ``best_pct``: the busiest path
    against the chip's fastest path for that precision. ``is_issue_rate``: a pipe or instruction rate, not FLOP.
    """

    path_pct: float
    total_pct: float
    best_pct: float
    metric: str
    precision: str = ""
    instruction: str = ""
    is_issue_rate: bool = False


def tensor_utilization(launch: KernelLaunch, counts: Sequence[FlopCount] | None = None) -> TensorUtilization | None:
    """The load of the Tensor Cores; None where the report says nothing of them. Zero is a measured zero.

    Operation counters decide where they were collected: pipe cycles of a GeForce part read half for products
    accumulated in FP32 (47 % at 94 % of the real ceiling). ``counts`` saves counting twice.
    """
    tensor = [
        count
        for count in (tensor_flop_counts(launch) if counts is None else counts)
        if count.path == "tensor" and count.utilization_pct is not None
    ]
    return _of_counts(tensor) if tensor else _issue_rate(launch)


def _of_counts(tensor: Sequence[FlopCount]) -> TensorUtilization:
    busiest = max(tensor, key=_pct)
    return TensorUtilization(
        path_pct=_pct(busiest),
        total_pct=sum(map(_pct, tensor)),
        best_pct=busiest.best_path_pct if busiest.best_path_pct is not None else _pct(busiest),
        metric=busiest.counter,
        precision=busiest.precision,
        instruction=busiest.instruction,
    )


def _pct(count: FlopCount) -> float:
    return count.utilization_pct or 0.0


def _issue_rate(launch: KernelLaunch) -> TensorUtilization | None:
    for names in (ISSUE_RATES, ACTIVE_RATES):
        rates = [(value, name) for name in names if (value := launch.number(name)) is not None]
        if rates:
            pct, metric = max(rates)
            return TensorUtilization(path_pct=pct, total_pct=pct, best_pct=pct, metric=metric, is_issue_rate=True)
    return None
