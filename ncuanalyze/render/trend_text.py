"""The history in a terminal: runs, kernels of runs, and series with their change points."""

from __future__ import annotations

from collections.abc import Sequence

from ncuanalyze.history.store import KernelRow, RunRow
from ncuanalyze.history.trend import Series, Trend
from ncuanalyze.render.comparison_words import change
from ncuanalyze.render.names import safe_text, short_name
from ncuanalyze.render.numbers import duration

SPARKS = "▁▂▃▄▅▆▇█"
SPARK_WIDTH = 40
COMMIT_WIDTH = 12
NAME_WIDTH = 50


def render(trend: Trend) -> str:
    """A line for each series with its sparkline, then a line for each change."""
    on = f" of {safe_text(trend.branch)}" if trend.branch else ""
    lines = [f"{trend.runs} runs{on}, {len(trend.series)} kernels"]
    for series in trend.series:
        lines += ["", *_series(series)]
    return "\n".join(lines) + "\n"


def _series(series: Series) -> list[str]:
    times = [point.duration_ns for point in series.points]
    shape = ", ".join(part for part in (series.nvtx, f"grid {series.grid}" if series.grid else "", series.gpu) if part)
    lines = [
        f"{short_name(series.name, NAME_WIDTH)}  ({safe_text(shape)})"
        if shape
        else short_name(series.name, NAME_WIDTH),
        f"  {sparkline(times)}  {duration(times[0])} to {duration(times[-1])}, {len(times)} runs",
    ]
    for found in series.changes:
        bound = f", bound {found.bound_moved}" if found.bound_moved else ""
        lines.append(f"  {change(found.change_pct)} since {_commit(found.commit)} ({found.at[:10]}){bound}")
    return lines


def sparkline(times: Sequence[float]) -> str:
    """The last runs as blocks between the least and the most; one level where nothing moves."""
    shown = times[-SPARK_WIDTH:]
    low, high = min(shown), max(shown)
    steps = len(SPARKS) - 1
    return "".join(SPARKS[round(steps * (time - low) / (high - low))] if high > low else SPARKS[0] for time in shown)


def render_runs(rows: Sequence[RunRow]) -> str:
    """A line for each run."""
    lines = [f"{'commit':<{COMMIT_WIDTH}} {'branch':<14} {'time (UTC)':<19} {'kernels':>7} {'total':>8}  file"]
    lines += [
        f"{_commit(row.commit):<{COMMIT_WIDTH}} {safe_text(row.branch)[:14]:<14} {row.at[:19]:<19} "
        f"{row.kernels:>7} {duration(row.total_ns):>8}  {safe_text(row.file)} {safe_text(row.gpu)}".rstrip()
        for row in rows
    ]
    return "\n".join(lines) + "\n"


def render_kernels(rows: Sequence[KernelRow]) -> str:
    """A line for each kernel of each run."""
    lines = [f"{'commit':<{COMMIT_WIDTH}} {'median':>8} {'launches':>8} {'bound':<12} {'limiter':<8} kernel"]
    lines += [
        f"{_commit(row.commit):<{COMMIT_WIDTH}} {duration(row.duration_ns):>8} {row.launches:>8} {row.bound:<12} "
        f"{safe_text(row.limiter) or '-':<8} {short_name(row.name, NAME_WIDTH)}"
        for row in rows
    ]
    return "\n".join(lines) + "\n"


def _commit(commit: str) -> str:
    return safe_text(commit)[:COMMIT_WIDTH]
