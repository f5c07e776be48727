"""Diagnoses kept by commit and kernel, their trend and where it changed."""

from ncuanalyze.history.change_points import change_points
from ncuanalyze.history.run import Run
from ncuanalyze.history.store import KernelRow, RunRow, add_run, kernel_rows, recent_runs, run_rows, timestamp
from ncuanalyze.history.trend import Change, Level, Series, Trend, TrendPoint, trend_of

__all__ = [
    "Change",
    "KernelRow",
    "Level",
    "Run",
    "RunRow",
    "Series",
    "Trend",
    "TrendPoint",
    "add_run",
    "change_points",
    "kernel_rows",
    "recent_runs",
    "run_rows",
    "timestamp",
    "trend_of",
]
