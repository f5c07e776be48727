"""An error as the user sees it: one line and a hint, without the characters that a file's name may smuggle in."""

from __future__ import annotations

import click


def error_line(message: str, hint: str = "") -> click.ClickException:
    """What click prints as ``Error:``, with ``hint`` below it."""
    from ncuanalyze.render.names import safe_text

    text = f"{message}\nHint: {hint}" if hint else message
    return click.ClickException(safe_text(text, keep_lines=True))
