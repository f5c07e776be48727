"""What files of other formats can hold: words and paths that are UTF-8, as a command line need not be."""

from __future__ import annotations

from pathlib import Path

import click

MOST_CHARACTERS = 255
"""Of a commit or a branch: as much as a file system, and so git, allows a name."""


def storable_word(ctx: click.Context, param: click.Parameter, value: str | None) -> str | None:
    """A commit or a branch: neither empty, nor longer than any is, nor bytes without a meaning."""
    if value is None:
        return None
    if not value.strip():
        raise click.BadParameter("it is empty: give a name.", ctx, param)
    if len(value) > MOST_CHARACTERS:
        said = f"{len(value):,} characters are no name: give at most {MOST_CHARACTERS}."
        raise click.BadParameter(said, ctx, param)
    _refuse_bytes(value, ctx, param)
    return value


def storable_path(ctx: click.Context, param: click.Parameter, value: Path) -> Path:
    """The path of an output whose writer takes UTF-8 names alone."""
    _refuse_bytes(str(value), ctx, param)
    return value


def _refuse_bytes(text: str, ctx: click.Context, param: click.Parameter) -> None:
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise click.BadParameter(f"{text!r} holds bytes that are no UTF-8: give another name.", ctx, param)
