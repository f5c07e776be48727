"""The text of an assertion, cut into tokens."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ncuanalyze.errors import InvalidInput

LONGEST = 500
_TOKEN = re.compile(
    r"""\s*(?:
    (?P<number>(?:\d[\d_]*(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)
    |(?P<name>[A-Za-z_µ][A-Za-z0-9_µ]*(?:\.[A-Za-z0-9_]+)*)
    |(?P<text>"[^"\\]*"|'[^'\\]*')
    |(?P<relation><=|>=|==|!=|<|>)
    |(?P<sign>[-+*/()%])
    )""",
    re.VERBOSE,
)


@dataclass(frozen=True)
class Token:
    """One token: its kind (a group name of the pattern, or ``end``), its text, and where it begins."""

    kind: str
    text: str
    at: int


def tokens_of(text: str) -> list[Token]:
    """The tokens, closed by one of kind ``end``. Raises InvalidInput at a character that begins none."""
    if len(text) > LONGEST:
        raise InvalidInput(f"an assertion of {len(text)} characters", hint=f"keep it under {LONGEST}")
    found, position = [], 0
    end = len(text.rstrip())
    while position < end:
        match = _TOKEN.match(text, position)
        if match is None:
            raise syntax_error(text, position, "unexpected character")
        kind = match.lastgroup or "end"
        found.append(Token(kind, match.group(kind), match.start(kind)))
        position = match.end()
    return [*found, Token("end", "", end)]


def syntax_error(text: str, at: int, says: str) -> InvalidInput:
    """An error that shows where in the assertion it stands."""
    shown = f"{text[:at]}>>>{text[at:]}" if at < len(text) else f"{text}>>>"
    return InvalidInput(
        f"{says} in the assertion: {shown}",
        hint='write NAME < NUMBER, bound == "memory", or no finding above 1.2x',
    )
