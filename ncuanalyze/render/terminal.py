"""Text for a terminal, written through rich without its guesses: no markup, no emoji, no highlighting."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import TYPE_CHECKING

from ncuanalyze.render.names import safe_text
from ncuanalyze.render.text import Style

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text


def console_text(style: Style, write: Callable[[Console], None]) -> str:
    """What ``write`` prints, without trailing blanks."""
    from rich.console import Console

    out = io.StringIO()
    console = Console(
        file=out,
        width=style.width,
        force_terminal=style.color,
        no_color=not style.color,
        color_system="standard" if style.color else None,
        highlight=False,
        emoji=False,
        markup=False,
    )
    write(console)
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines()) + "\n"


def plain(text: str, style: str = "") -> Text:
    """A text of a report as it is: control characters spelled out, nothing taken for markup."""
    from rich.text import Text

    return Text(safe_text(text), style=style)
