"""Colours of the charts, for light, dark and paper; safe for colour-blind readers (after Okabe and Ito)."""

from __future__ import annotations

THEMES = {
    "light": {
        "bg": "#fff",
        "ink": "#1f2328",
        "muted": "#5f6873",
        "grid": "#e4e7eb",
        "dram": "#0068a8",
        "l2": "#007a5a",
        "l1": "#a3478b",
        "flag": "#b93d00",
    },
    "dark": {
        "bg": "#0d1117",
        "ink": "#e6edf3",
        "muted": "#9aa6b2",
        "grid": "#262d37",
        "dram": "#5cb8f0",
        "l2": "#3fc79c",
        "l1": "#e59bcb",
        "flag": "#ff9a55",
    },
}
LEVELS = ("dram", "l2", "l1")

_RULES = """.ncu-roofline{font:11px system-ui,sans-serif;fill:var(--muted)}
.ncu-roofline .bg{fill:var(--bg)}.ncu-roofline .ink{fill:var(--ink)}
.ncu-roofline .head{font-size:14px;font-weight:600}
.ncu-roofline .line{fill:none;stroke-width:1.7;stroke:var(--ink)}
.ncu-roofline .grid{stroke:var(--grid);stroke-width:1}
.ncu-roofline .near{stroke:var(--muted);stroke-dasharray:5 4;stroke-width:1.1}
.ncu-roofline .sus{stroke-dasharray:1.5 3;stroke-width:1.2}
.ncu-roofline .mark{stroke:var(--bg);stroke-width:1.2}
.ncu-roofline .ring{fill:none;stroke:var(--flag);stroke-width:2}.ncu-roofline .flag{fill:var(--flag)}
.ncu-roofline .was{opacity:.55}
.ncu-roofline .track{fill:var(--grid)}.ncu-roofline .open{fill:var(--bg);stroke:var(--ink);stroke-width:1.6}
"""


def chart_css(theme: str = "auto") -> str:
    """The rules for every chart of a page.

    ``auto`` follows the reader's light or dark setting by CSS variables; ``light`` and ``dark`` hold plain
    colours, for converters that know no variables. A page may set ``--bg``, ``--ink``, ``--muted``,
    ``--grid``, ``--dram``, ``--l2``, ``--l1`` and ``--flag`` on ``.ncu-roofline`` itself.
    """
    rules = _RULES + "".join(_level_rule(level) for level in LEVELS)
    if theme in THEMES:
        for name, colour in THEMES[theme].items():
            rules = rules.replace(f"var(--{name})", colour)
        return rules
    light, dark = (f".ncu-roofline{{{_variables(name)}}}" for name in ("light", "dark"))
    return f"{light}\n@media screen and (prefers-color-scheme:dark){{{dark}}}\n{rules}"


def _level_rule(level: str) -> str:
    return (
        f".ncu-roofline .{level}{{fill:var(--{level})}}.ncu-roofline .line.{level}{{fill:none;stroke:var(--{level})}}\n"
    )


def _variables(theme: str) -> str:
    return ";".join(f"--{name}:{colour}" for name, colour in THEMES[theme].items())
