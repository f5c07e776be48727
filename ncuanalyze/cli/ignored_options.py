"""Options that the other arguments make meaningless: refused, since a user who gave one expects it to count."""

from __future__ import annotations

from collections.abc import Collection

import click
from click.core import ParameterSource

from ncuanalyze.errors import InvalidOption


def refuse(names: Collection[str], beside: str, hint: str) -> None:
    """Raise InvalidOption where the command was given one of the options. ``names`` are those of its parameters."""
    if given := given_options(click.get_current_context(), names):
        raise InvalidOption(f"{', '.join(given)}: no use beside {beside}", hint=hint)


def given_options(context: click.Context, names: Collection[str]) -> list[str]:
    """Those of the parameters that stand on the command line, as they are written there in full."""
    return [
        option.opts[-1]
        for option in context.command.params
        if option.name in names and context.get_parameter_source(option.name) is ParameterSource.COMMANDLINE
    ]
