"""Gives every report of a dataset a name of its own."""

from __future__ import annotations

import re
from collections.abc import Iterable

_NUMBERED = re.compile(r"#\d+\Z")


class Names:
    """Names in use. What was found by a path keeps its name; members of archives make way, in their order."""

    def __init__(self, taken: Iterable[str]) -> None:
        self._taken = set(taken)
        self._copies: dict[str, int] = {}

    def own(self, name: str) -> str:
        """The name, or where it is in use, ``name#2``, ``name#3``, ..; in use from now on."""
        given = name
        while given in self._taken:
            self._copies[name] = self._copies.get(name, 1) + 1
            given = f"{name}#{self._copies[name]}"
        self._taken.add(given)
        return given

    def takes_again(self, names: Iterable[str]) -> bool:
        """Take names of an earlier run, all or none; none that it had to number, since why it had to may have gone."""
        again = set(names)
        if again & self._taken or any(_NUMBERED.search(name) for name in again):
            return False
        self._taken |= again
        return True
