"""The protobuf text format of section files: text in, fields with their line and column out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ncuanalyze.errors import NcuAnalyzeError

_TOKEN = re.compile(
    r"""(?P<space>[ \t\r\f\v]+|\#[^\n]*)
      | (?P<newline>\n)
      | (?P<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')
      | (?P<number>[-+]?(?:0[xX][0-9a-fA-F]+|(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?f?)(?![A-Za-z_0-9]))
      | (?P<word>[A-Za-z_][A-Za-z_0-9]*)
      | (?P<mark>[:{}<>\[\],;])""",
    re.VERBOSE,
)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", '"': '"', "'": "'", "\\": "\\"}
_CLOSE = {"{": "}", "<": ">"}
MAX_DEPTH = 64


class SectionSyntaxError(NcuAnalyzeError):
    """The text is not in the format; ``line`` and ``column`` say where (from 1)."""

    def __init__(self, message: str, line: int, column: int) -> None:
        super().__init__(f"{message} at line {line}, column {column}")
        self.reason, self.line, self.column = message, line, column


@dataclass(frozen=True)
class Scalar:
    """A value as written: ``kind`` is ``string``, ``number`` or ``word`` (an enum or a bool)."""

    kind: str
    text: str


@dataclass(frozen=True)
class Block:
    """What stands between braces."""

    fields: tuple[Field, ...]

    def all(self, name: str) -> tuple[Field, ...]:
        """Every field of that name, in order."""
        return tuple(field for field in self.fields if field.name == name)

    def text(self, name: str) -> str | None:
        """The first scalar of that name as text, or None."""
        for field in self.all(name):
            if isinstance(field.value, Scalar):
                return field.value.text
        return None

    def blocks(self, *path: str) -> tuple[Block, ...]:
        """Every block reached by a path of names."""
        if not path:
            return (self,)
        inner = (field.value for field in self.all(path[0]))
        return tuple(found for b in inner if isinstance(b, Block) for found in b.blocks(*path[1:]))


@dataclass(frozen=True)
class Field:
    """A name with a value."""

    name: str
    value: Scalar | Block
    line: int
    column: int


@dataclass(frozen=True)
class _Token:
    kind: str
    text: str
    line: int
    column: int


def parse(text: str) -> Block:
    """The fields of a section file. Raises ``SectionSyntaxError``."""
    return _Parser(text).document()


def _tokens(text: str) -> Iterator[_Token]:
    line, start, position = 1, 0, 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            bad = text[position]
            what = "a string is not closed" if bad in "\"'" else f"unexpected {bad!r}"
            raise SectionSyntaxError(what, line, position - start + 1)
        kind = match.lastgroup or ""
        if kind == "newline":
            line, start = line + 1, match.end()
        elif kind != "space":
            yield _Token(kind, match.group(), line, position - start + 1)
        position = match.end()
    yield _Token("end", "", line, position - start + 1)


class _Parser:
    def __init__(self, text: str) -> None:
        self._tokens = list(_tokens(text))
        self._next = 0

    def document(self) -> Block:
        return Block(tuple(self._fields(closer="", depth=0)))

    @property
    def _head(self) -> _Token:
        return self._tokens[self._next]

    def _take(self) -> _Token:
        token = self._head
        self._next += token.kind != "end"
        return token

    def _skip(self, marks: str) -> bool:
        if self._head.kind == "mark" and self._head.text in marks:
            self._take()
            return True
        return False

    def _fail(self, what: str, token: _Token) -> SectionSyntaxError:
        return SectionSyntaxError(f"{what}, not {token.text!r}" if token.text else what, token.line, token.column)

    def _fields(self, *, closer: str, depth: int) -> Iterator[Field]:
        if depth > MAX_DEPTH:
            raise self._fail(f"blocks are nested deeper than {MAX_DEPTH}", self._head)
        while True:
            token = self._take()
            if token.kind == "end" and closer:
                raise self._fail(f"the file ends where {closer!r} was expected", token)
            if token.kind == "end" or (token.kind == "mark" and token.text == closer):
                return
            if token.kind != "word":
                raise self._fail("a field name was expected", token)
            yield from self._values(token, depth)
            self._skip(",;")

    def _values(self, name: _Token, depth: int) -> Iterator[Field]:
        colon = self._skip(":")
        if self._skip("["):
            while not self._skip("]"):
                yield self._value(name, depth, colon=True)
                self._skip(",")
        else:
            yield self._value(name, depth, colon=colon)

    def _value(self, name: _Token, depth: int, *, colon: bool) -> Field:
        token = self._take()
        if token.kind == "mark" and token.text in _CLOSE:
            block = Block(tuple(self._fields(closer=_CLOSE[token.text], depth=depth + 1)))
            return Field(name.text, block, name.line, name.column)
        if not colon:
            raise self._fail(f"':' or '{{' was expected after {name.text}", token)
        if token.kind not in ("string", "number", "word"):
            raise self._fail(f"a value was expected for {name.text}", token)
        scalar = Scalar(token.kind, self._string(token) if token.kind == "string" else token.text)
        return Field(name.text, scalar, token.line, token.column)

    def _string(self, token: _Token) -> str:
        text = _unquote(token.text)
        while self._head.kind == "string":
            text += _unquote(self._take().text)
        return text


def _unquote(literal: str) -> str:
    return re.sub(r"\\(.)", lambda match: _ESCAPES.get(match[1], match[0]), literal[1:-1])
