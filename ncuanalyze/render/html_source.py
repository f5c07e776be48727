"""Source hot spots as the page shows them: a table, listings with a heat bar, the SASS of the hot lines."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePosixPath

from ncuanalyze.diagnosis import HotLine, SourceHotspots
from ncuanalyze.render.html_findings import CODE_WIDTH, place_name
from ncuanalyze.render.names import middle_cut
from ncuanalyze.render.numbers import count, digits, pct, si


@dataclass(frozen=True, kw_only=True)
class Column:
    """A column of the hot lines that at least one of them has a value for."""

    title: str
    shown: Callable[[HotLine], str]


@dataclass(frozen=True, kw_only=True)
class LineView:
    """A row of the hot lines."""

    anchor: str
    line: HotLine
    name: str
    text: str
    reasons: tuple[str, ...]
    cells: tuple[str, ...]

    @property
    def key(self) -> tuple[str, int]:
        """(file, line), as findings name it."""
        return self.line.file, self.line.line


@dataclass(frozen=True, kw_only=True)
class ListingRow:
    """A line of a listing. ``gap``: lines are left out before it; ``anchor``: its row among the hot lines."""

    line: int
    text: str
    heat: float
    anchor: str
    gap: bool


@dataclass(frozen=True, kw_only=True)
class FileView:
    """The lines of one file around its hot ones."""

    name: str
    rows: tuple[ListingRow, ...]


@dataclass(frozen=True, kw_only=True)
class SassRow:
    """An instruction of a hot line; ``head`` names the line before its first instruction."""

    head: str
    offset: str
    text: str
    heat: float


@dataclass(frozen=True, kw_only=True)
class SourceView:
    """Everything the source part of a panel draws."""

    lines: tuple[LineView, ...] = ()
    columns: tuple[Column, ...] = ()
    files: tuple[FileView, ...] = ()
    sass: tuple[SassRow, ...] = ()
    paths: tuple[str, ...] = ()


def source_view(hotspots: SourceHotspots | None, anchor: str) -> SourceView:
    """The source part of the panel ``anchor``; empty without hot lines."""
    if hotspots is None or not hotspots.lines:
        return SourceView()
    columns = tuple(
        Column(title=title, shown=shown)
        for title, shown in _COLUMNS
        if any(shown(line) for line in hotspots.lines)
    )
    lines = tuple(
        LineView(
            anchor=f"{anchor}-l{place}",
            line=line,
            name=place_name(line.file, line.line) if line.file else f"+0x{line.line:04x}",
            text=middle_cut(line.text.strip(), CODE_WIDTH),
            reasons=tuple(f"{reason.replace('_', ' ')} {pct(share)}" for reason, share in line.reasons),
            cells=tuple(column.shown(line) for column in columns),
        )
        for place, line in enumerate(hotspots.lines)
    )
    return SourceView(
        lines=lines,
        columns=columns,
        files=_files(hotspots, lines),
        sass=_sass(hotspots, lines),
        paths=tuple(dict.fromkeys(line.file for line in hotspots.lines if line.file)),
    )


def _files(hotspots: SourceHotspots, lines: tuple[LineView, ...]) -> tuple[FileView, ...]:
    hot = {view.key: view for view in lines}
    shown = []
    for file, pairs in hotspots.context.items():
        rows, previous = [], None
        for number, text in pairs:
            view = hot.get((file, number))
            rows.append(
                ListingRow(
                    line=number,
                    text=text,
                    heat=view.line.not_issued_pct if view else 0.0,
                    anchor=view.anchor if view else "",
                    gap=previous is not None and number != previous + 1,
                )
            )
            previous = number
        shown.append(FileView(name=PurePosixPath(file).name, rows=tuple(rows)))
    return tuple(shown)


def _sass(hotspots: SourceHotspots, lines: tuple[LineView, ...]) -> tuple[SassRow, ...]:
    return tuple(
        SassRow(
            head=view.name if place == 0 else "",
            offset=f"{sass.offset:04x}",
            text=sass.text,
            heat=100 * sass.samples / hotspots.samples if hotspots.samples else 0.0,
        )
        for view in lines
        for place, sass in enumerate(view.line.sass)
    )


def _per_request(line: HotLine) -> str:
    if line.sectors_per_request is None:
        return ""
    ideal = line.ideal_sectors_per_request
    wasteful = ideal is not None and line.excess_sectors
    return (
        f"{digits(line.sectors_per_request)} (ideal {digits(ideal)})"
        if wasteful and ideal
        else digits(line.sectors_per_request)
    )


def _plain(value: float | None) -> str:
    return si(value) if value else ""


_COLUMNS: tuple[tuple[str, Callable[[HotLine], str]], ...] = (
    ("Samples", lambda line: count(float(line.samples))),
    ("Instructions", lambda line: _plain(line.instructions)),
    ("Sectors a request", _per_request),
    ("Bank conflicts", lambda line: _plain(line.bank_conflicts)),
    ("Local sectors", lambda line: _plain(line.local_sectors)),
    ("Lanes on", lambda line: pct(line.active_lanes_pct) if line.active_lanes_pct is not None else ""),
)
