"""What the user is told on standard error, without the characters that a file's name or content may smuggle in."""

from __future__ import annotations

import click


def error_line(message: str, hint: str = "") -> click.ClickException:
    """What click prints as ``Error:``, with ``hint`` below it."""
    return click.ClickException(printable(f"{message}\nHint: {hint}" if hint else message))


class UsageLine(click.ClickException):
    """An error of the command line that leaves click's summary of the options out: the hint says what is wrong."""

    exit_code = click.UsageError.exit_code


def usage_line(message: str, hint: str = "") -> click.ClickException:
    """As ``error_line``, for what no file is to blame for."""
    return UsageLine(error_line(message, hint).message)


def tell(text: str) -> None:
    """Say something beside the data: a warning, a note, what was written."""
    click.echo(printable(text), err=True)


def printable(text: str) -> str:
    """The text with its lines, and with everything that moves a cursor or turns a direction spelled out."""
    from ncuanalyze.render.names import safe_text

    return safe_text(text, keep_lines=True)
