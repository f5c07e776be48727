"""Findings as the page shows them: gain on a common axis, places linked to the source table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from ncuanalyze.diagnosis import Finding, SourceLine
from ncuanalyze.render.names import middle_cut
from ncuanalyze.render.numbers import factor
from ncuanalyze.render.svg import GAUGE_LEAST, gain_gauge

if TYPE_CHECKING:
    from markupsafe import Markup

KERNELS_NAMED = 8
CODE_WIDTH = 100
"""Of a line beside its name; the listing shows it whole."""


@dataclass(frozen=True, kw_only=True)
class KernelLink:
    """Where the page shows a kernel."""

    anchor: str
    title: str


@dataclass(frozen=True, kw_only=True)
class PlaceView:
    """A source line of a finding; ``anchor`` is empty where the page does not show that line."""

    line: SourceLine
    name: str
    text: str
    anchor: str


@dataclass(frozen=True, kw_only=True)
class FindingView:
    """One finding with what is drawn beside it. ``more``: kernels beyond the linked ones."""

    finding: Finding
    interval: str
    gauge: Markup | None
    places: tuple[PlaceView, ...]
    kernels: tuple[KernelLink, ...]
    more: int


def finding_views(
    findings: Sequence[Finding],
    *,
    anchors: Mapping[tuple[str, int], str] | None = None,
    links: Mapping[str, KernelLink] | None = None,
) -> tuple[FindingView, ...]:
    """The findings in their order. ``anchors`` maps (file, line) to the page's rows, ``links`` kernel ids."""
    highest = max((f.speedup.high for f in findings if f.speedup), default=GAUGE_LEAST)
    end = max(GAUGE_LEAST, highest)
    return tuple(_view(finding, end, anchors or {}, links or {}) for finding in findings)


def place_name(file: str, line: int) -> str:
    """A line as readers name it: the file's last part and the number."""
    return f"{PurePosixPath(file.replace(chr(92), '/')).name}:{line}"


def _view(
    finding: Finding,
    end: float,
    anchors: Mapping[tuple[str, int], str],
    links: Mapping[str, KernelLink],
) -> FindingView:
    from markupsafe import Markup

    speedup = finding.speedup
    known = [*dict.fromkeys(links[name] for name in finding.kernels if name in links)]
    return FindingView(
        finding=finding,
        interval=f"{factor(speedup.low)} to {factor(speedup.high)}" if speedup else "",
        gauge=Markup(gain_gauge(speedup, end)) if speedup else None,
        places=tuple(
            PlaceView(
                line=line,
                name=place_name(line.file, line.line),
                text=middle_cut(line.text.strip(), CODE_WIDTH),
                anchor=anchors.get((line.file, line.line), ""),
            )
            for line in finding.source_lines
        ),
        kernels=tuple(known[:KERNELS_NAMED]),
        more=max(0, len(known) - KERNELS_NAMED),
    )
