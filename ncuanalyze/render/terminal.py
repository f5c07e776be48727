"""Text for a terminal, written through rich without its guesses: no markup, no emoji, no highlighting."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from ncuanalyze.record import record
from ncuanalyze.render.names import safe_text

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text


@record
class Style:
    """How to write: columns, colour, and how much of it."""

    width: int = 80
    color: bool = False
    verbose: bool = False

    @classmethod
    def of_terminal(cls, *, color: bool | None, verbose: bool, to_file: bool) -> Style:
        """Colour only on a terminal, unless ``--color`` or ``NO_COLOR`` says otherwise."""
        terminal = sys.stdout.isatty() and not to_file
        wanted = terminal and not os.environ.get("NO_COLOR") if color is None else color
        width = _columns() if terminal else 80
        return cls(width=max(60, min(width, 120)), color=bool(wanted), verbose=verbose)


def _columns() -> int:
    try:
        return os.get_terminal_size().columns
    except OSError:
        return 80


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
