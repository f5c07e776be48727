"""The index page of a batch: what was read, what bounds it, what pays most, and what could not be read."""

from __future__ import annotations

from ncuanalyze.record import record
from ncuanalyze.render.html_shell import asset, draw, page_style
from ncuanalyze.render.names import short_name

NAME_WIDTH = 72


@record
class BoundShare:
    """The kernels of one GPU with one bound, and their time."""

    bound: str
    kernels: int
    total_ns: float
    share_pct: float | None


@record
class GpuTotal:
    """One GPU's kernels, their time, and how it divides by bound, largest first."""

    gpu: str
    kernels: int
    total_ns: float
    bounds: tuple[BoundShare, ...]


@record
class CauseTotal:
    """A cause that is the first finding of kernels; ``saved_ns`` is what their best findings promise together."""

    id: str
    title: str
    kernels: int
    saved_ns: float
    share_pct: float | None


@record
class KernelTotal:
    """All launches of one kernel on one GPU; bound and cause are those with the most time."""

    gpu: str
    name: str
    launches: int
    total_ns: float
    saved_ns: float
    headroom_pct: float | None
    bound: str
    cause: str

    @property
    def title(self) -> str:
        """The name in one line."""
        return short_name(self.name, NAME_WIDTH)


@record
class ReportLine:
    """A report, or one that could not be read with the reason."""

    name: str
    kernels: int = 0
    created: str = ""
    ending: str = ""
    message: str = ""
    hint: str = ""


@record
class BatchIndex:
    """Everything the page shows. Lists may be cut: the counts say how many there are."""

    tool: str
    report_count: int
    kernel_count: int
    error_count: int
    total_ns: float
    saved_ns: float
    name_count: int
    first: str
    last: str
    gpus: tuple[GpuTotal, ...]
    causes: tuple[CauseTotal, ...]
    kernels: tuple[KernelTotal, ...]
    reports: tuple[ReportLine, ...]
    errors: tuple[ReportLine, ...]
    files: tuple[tuple[str, str], ...]


def render(index: BatchIndex) -> str:
    """One HTML file: no request, no dependency, readable without JavaScript; everything escaped."""
    return draw("batch_index.html", {"index": index}, style=page_style(), script=asset("batch_index.js"))
