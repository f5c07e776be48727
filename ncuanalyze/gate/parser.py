"""The grammar of assertions: a small recursive-descent parser, nothing is ever evaluated as code.

assertion  = "no" "finding" [ID] ["above" NUMBER ["x"]]  |  sum RELATION sum ["within" NUMBER "%"]
sum        = product {("+" | "-") product}
product    = factor {("*" | "/") factor}
factor     = "-" factor  |  NUMBER [UNIT]  |  TEXT  |  NAME  |  "(" sum ")"
"""

from __future__ import annotations

from ncuanalyze.errors import InvalidInput
from ncuanalyze.gate.expression import (
    Assertion,
    Binary,
    Comparison,
    Name,
    Negative,
    NoFinding,
    Number,
    Operand,
    Text,
)
from ncuanalyze.gate.tokens import Token, syntax_error, tokens_of
from ncuanalyze.gate.unit import is_unit

DEEPEST = 20
_TRUTHS = ("true", "false")


def parse(text: str) -> Assertion:
    """The assertion that a text states. Raises InvalidInput that shows where the text goes wrong."""
    return _Parser(text).assertion()


class _Parser:
    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = tokens_of(text)
        self._at = 0
        self._depth = 0

    def assertion(self) -> Assertion:
        stated = self._no_finding() if self._peek().text == "no" else self._comparison()
        if self._peek().kind != "end":
            raise self._error("unexpected text after the end")
        return stated

    def _no_finding(self) -> NoFinding:
        self._take()
        self._expect("finding")
        id_ = ""
        if self._peek().kind == "name" and self._peek().text != "above":
            id_ = self._take().text
        if self._peek().text != "above":
            return NoFinding(id_)
        self._take()
        above = self._number()
        if self._peek().text == "x":
            self._take()
        return NoFinding(id_, above)

    def _comparison(self) -> Comparison:
        left = self._sum()
        if self._peek().kind != "relation":
            raise self._error("a relation (< <= > >= == !=) is expected")
        relation = self._take().text
        right = self._sum()
        return Comparison(left, relation, right, self._tolerance())

    def _tolerance(self) -> float | None:
        if self._peek().text != "within":
            return None
        self._take()
        tolerance = self._number()
        self._expect("%")
        return tolerance

    def _sum(self) -> Operand:
        operand = self._product()
        while self._peek().text in ("+", "-"):
            operand = Binary(self._take().text, operand, self._product())
        return operand

    def _product(self) -> Operand:
        operand = self._factor()
        while self._peek().text in ("*", "/"):
            operand = Binary(self._take().text, operand, self._factor())
        return operand

    def _factor(self) -> Operand:
        self._depth += 1
        if self._depth > DEEPEST:
            raise self._error("too deeply nested")
        operand = self._atom()
        self._depth -= 1
        return operand

    def _atom(self) -> Operand:
        token = self._take()
        if token.text == "-":
            return Negative(self._factor())
        if token.text == "(":
            inner = self._sum()
            self._expect(")")
            return inner
        if token.kind == "number":
            return Number(_value(token), self._unit())
        if token.kind == "text":
            return Text(token.text[1:-1])
        if token.kind == "name":
            return Text(token.text) if token.text in _TRUTHS else Name(token.text)
        self._at -= 1
        raise self._error("a number, a name or a text is expected")

    def _unit(self) -> str:
        """The unit after a number: one word, or two around a slash; empty where none follows."""
        first = self._peek()
        if not is_unit(first.text):
            return ""
        self._take()
        slash, second = self._peek(), self._peek(1)
        if slash.text == "/" and is_unit(f"{first.text}/{second.text}"):
            self._at += 2
            return f"{first.text}/{second.text}"
        return first.text

    def _number(self) -> float:
        if self._peek().kind != "number":
            raise self._error("a number is expected")
        return _value(self._take())

    def _expect(self, text: str) -> None:
        if self._peek().text != text:
            raise self._error(f"'{text}' is expected")
        self._take()

    def _peek(self, ahead: int = 0) -> Token:
        return self._tokens[min(self._at + ahead, len(self._tokens) - 1)]

    def _take(self) -> Token:
        token = self._peek()
        self._at += 1
        return token

    def _error(self, says: str) -> InvalidInput:
        return syntax_error(self._text, self._peek().at, says)


def _value(token: Token) -> float:
    return float(token.text.replace("_", ""))
