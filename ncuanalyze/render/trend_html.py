"""The trend as one self-contained HTML page: a chart a kernel, and the commits that changed it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ncuanalyze.history.trend import Series, Trend
from ncuanalyze.render.comparison_words import change
from ncuanalyze.render.html_shell import asset, draw, page_style
from ncuanalyze.render.names import short_name
from ncuanalyze.render.trend_chart import trend_chart

if TYPE_CHECKING:
    from markupsafe import Markup

NAME_WIDTH = 80


@dataclass(frozen=True, kw_only=True)
class Panel:
    """One series: its names, its chart, and its last change in words."""

    anchor: str
    title: str
    subtitle: str
    series: Series
    chart: Markup
    last: str
    worse: bool


def render(trend: Trend) -> str:
    """One HTML file: no request, no dependency, readable without JavaScript; everything escaped."""
    panels = [_panel(place, series) for place, series in enumerate(trend.series)]
    shown = {"trend": trend, "panels": panels, "change": change}
    return draw("trend.html", shown, style=page_style() + asset("compare.css"), script=asset("page.js"))


def _panel(place: int, series: Series) -> Panel:
    from markupsafe import Markup

    parts = (series.nvtx, f"grid {series.grid}" if series.grid else "", f"block {series.block}" if series.block else "")
    last = series.changes[-1] if series.changes else None
    return Panel(
        anchor=f"s{place}",
        title=short_name(series.name, NAME_WIDTH),
        subtitle=" · ".join(part for part in (*parts, series.gpu) if part),
        series=series,
        chart=Markup(trend_chart(series)),
        last=change(last.change_pct) if last else "",
        worse=last is not None and last.change_pct > 0,
    )
