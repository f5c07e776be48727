"""What an operator is: its parameters and the function that counts its work."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ncuanalyze.errors import InvalidInput
from ncuanalyze.modelling.numeric_formats import NumericFormat, numeric_format
from ncuanalyze.modelling.parameters import number, whole_number
from ncuanalyze.modelling.work import Work

_YES = {"1", "true", "yes", "on"}
_NO = {"0", "false", "no", "off"}


@dataclass(frozen=True, kw_only=True)
class Parameter:
    """One size or choice. ``default`` None: it must be given; an empty text: it may be left out."""

    name: str
    meaning: str
    default: str | None = None
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True)
class Values:
    """The parameters of one use of an operator, read by kind. Every reader raises ``InvalidInput``."""

    texts: Mapping[str, str]

    def given(self, name: str) -> bool:
        """True where the parameter has a value."""
        return bool(self.texts.get(name))

    def size(self, name: str) -> int:
        """A positive whole number."""
        return whole_number(name, self.texts[name])

    def count(self, name: str) -> int:
        """A whole number, zero included."""
        return whole_number(name, self.texts[name], least=0)

    def amount(self, name: str) -> float:
        """A number that is not negative."""
        return number(name, self.texts[name])

    def sizes(self, name: str) -> tuple[int, ...]:
        """Whole numbers divided by commas or by ``x``: ``128,256`` or ``8192x4096``."""
        return tuple(whole_number(name, part) for part in self.texts[name].replace("x", ",").split(","))

    def elements(self, name: str) -> int:
        """The product of the sizes of a shape."""
        return math.prod(self.sizes(name))

    def format(self, name: str = "dtype") -> NumericFormat:
        """A number format."""
        return numeric_format(self.texts[name])

    def flag(self, name: str) -> bool:
        """A yes or no."""
        text = self.texts[name].lower()
        if text in _YES | _NO:
            return text in _YES
        raise InvalidInput(f"{name}={text} is neither yes nor no", hint=f"write {name}=1 or {name}=0")


@dataclass(frozen=True, kw_only=True)
class Operator:
    """An operator: ``count`` gives its work. ``practice`` is its entry in ``practice.toml``."""

    name: str
    summary: str
    parameters: tuple[Parameter, ...]
    count: Callable[[Values], Work]
    practice: str
    aliases: tuple[str, ...] = ()

    def values(self, given: Mapping[str, object]) -> Values:
        """The parameters with defaults filled in. Raises ``InvalidInput`` for unknown and missing ones."""
        names = {alias: item.name for item in self.parameters for alias in (item.name, *item.aliases)}
        texts = {item.name: item.default or "" for item in self.parameters}
        unknown = sorted(name for name in given if name not in names)
        if unknown:
            raise InvalidInput(f"{self.name} has no parameter {', '.join(unknown)}", hint=self.usage)
        texts.update({names[name]: str(value) for name, value in given.items()})
        missing = [item.name for item in self.parameters if item.default is None and not texts[item.name]]
        if missing:
            raise InvalidInput(f"{self.name} needs {', '.join(missing)}", hint=self.usage)
        return Values(texts)

    def chosen(self, values: Values) -> dict[str, str]:
        """The parameters worth showing: those that differ from their default, and the number format."""
        defaults = {item.name: item.default for item in self.parameters}
        return {
            name: text for name, text in values.texts.items() if text and (text != defaults[name] or name == "dtype")
        }

    @property
    def usage(self) -> str:
        """The parameters in one line, optional ones in brackets."""
        words = (
            f"{item.name}=" if item.default is None else f"[{item.name}={item.default}]" for item in self.parameters
        )
        return f"{self.name} {' '.join(words)}"
