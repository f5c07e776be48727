"""Whether the fields of a section file are ones that ncu knows, with values of the right kind."""

from __future__ import annotations

import difflib
import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Any

from ncuanalyze.section_lint.problem import Level, Problem
from ncuanalyze.section_lint.text_format import Block, Field, Scalar

_KIND = re.compile(r"(?P<enum>enum )?(?P<name>\w+)(?P<mark>[!*]?)(?:\*)?$")
_SCALARS = {"string": "string", "bool": "word", "int": "number", "uint": "number", "double": "number"}
_ONE_OF = "RooflineValue"


@cache
def grammar() -> dict[str, Any]:
    """``grammar.toml``: the blocks, their fields and the enums of the format."""
    text = files("ncuanalyze.section_lint").joinpath("grammar.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def structure_problems(fields: Block) -> Iterator[Problem]:
    """Unknown, missing, repeated and ill-typed fields; all of them make ncu drop the file."""
    yield from _block(fields, "Section", 1, 1)


def _block(block: Block, kind: str, line: int, column: int) -> Iterator[Problem]:
    if kind == "Any":
        return
    known: dict[str, str] = grammar()["block"][kind]
    counts = Counter(field.name for field in block.fields)
    for name, value in known.items():
        if value.endswith("!") and not counts[name]:
            yield Problem(line=line, column=column, level=Level.ERROR, text=f"{kind} needs {name}")
    if kind == _ONE_OF and len(block.fields) != 1:
        text = f"a roofline value is exactly one of {', '.join(known)}"
        yield Problem(line=line, column=column, level=Level.ERROR, text=text)
    seen: set[str] = set()
    for field in block.fields:
        yield from _field(field, kind, known, field.name in seen)
        seen.add(field.name)


def _field(field: Field, kind: str, known: dict[str, str], again: bool) -> Iterator[Problem]:
    if field.name not in known:
        yield _error(field, f"{kind} has no field {field.name!r}{_nearest(field.name, list(known))}")
        return
    match = _KIND.match(known[field.name])
    assert match is not None  # the grammar file is ours
    if again and not known[field.name].endswith("*"):
        yield _error(field, f"{field.name} may stand only once in a {kind}")
    if match["enum"]:
        yield from _enum(field, match["name"])
    elif match["name"] in _SCALARS:
        yield from _scalar(field, match["name"])
    elif isinstance(field.value, Block):
        yield from _block(field.value, match["name"], field.line, field.column)
    else:
        yield _error(field, f"{field.name} is a block: write {field.name} {{ ... }}")


def _scalar(field: Field, kind: str) -> Iterator[Problem]:
    value = field.value
    if not isinstance(value, Scalar) or value.kind != _SCALARS[kind]:
        yield _error(field, f"{field.name} takes a {kind}")
    elif kind == "bool" and value.text not in ("true", "false"):
        yield _error(field, f"{field.name} takes true or false, not {value.text}")
    elif kind in ("int", "uint") and not re.fullmatch(r"-?\d+" if kind == "int" else r"\d+", value.text):
        yield _error(field, f"{field.name} takes a whole number, not {value.text}")


def _enum(field: Field, enum: str) -> Iterator[Problem]:
    value = field.value
    if not isinstance(value, Scalar) or value.kind == "string":
        yield _error(field, f"{field.name} takes a bare word of {enum}")
    elif enum == "GpuArch":
        yield from _arch(field, value.text)
    elif value.text not in grammar()["enum"][enum] and not value.text.isdigit():
        choices = grammar()["enum"][enum]
        spelled = [choice for choice in choices if choice.endswith(f"_{value.text}")]
        hint = f": write {spelled[0]}" if spelled else _nearest(value.text, choices)
        yield _error(field, f"{field.name} has no value {value.text!r}{hint}")


def _arch(field: Field, text: str) -> Iterator[Problem]:
    arch = grammar()["arch"]
    if text in arch["names"]:
        return
    number = text.removeprefix("CC_")
    if not number.isdigit() or int(number) not in arch["known"]:
        known = ", ".join(map(str, arch["known"]))
        yield _error(
            field,
            f"{field.name} has no value {text!r} in Nsight Compute {grammar()['version']} (it knows {known})",
        )


def floor_problem(fields: Block) -> Problem | None:
    """A note where the file names an architecture that Nsight Compute 2024.1 does not know."""
    newer = set(grammar()["arch"]["newer_than_2024_1"])
    for field in _walk(fields):
        if field.name in ("MinArch", "MaxArch") and isinstance(field.value, Scalar):
            number = field.value.text.removeprefix("CC_")
            if number.isdigit() and int(number) in newer:
                text = f"Nsight Compute 2024.1 and older drop this file: they do not know {field.value.text}"
                return Problem(line=field.line, column=field.column, level=Level.NOTE, text=text)
    return None


def _walk(block: Block) -> Iterator[Field]:
    for field in block.fields:
        yield field
        if isinstance(field.value, Block):
            yield from _walk(field.value)


def _nearest(name: str, choices: list[str]) -> str:
    close = difflib.get_close_matches(name, choices, n=1, cutoff=0.7)
    return f": did you mean {close[0]}?" if close else ""


def _error(field: Field, text: str) -> Problem:
    return Problem(line=field.line, column=field.column, level=Level.ERROR, text=text)
