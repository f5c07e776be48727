"""Function name of a kernel from its demangled or mangled name, as ncu's base name "function" gives it."""

from __future__ import annotations

import re

_OPENING, _CLOSING = "<([{", ">)]}"
_MANGLED_PART = re.compile(r"(?:S(?:[tabsiod]|\d*_)|[KL])*(\d{1,9})(?!\d)")
_OPERATORS = 8
_IDENTIFIER = re.compile(r"[\w$~]+")
_OPERATOR = re.compile(r"operator\s*(\(\)|\[\]|<=>|<<=?|>>=?|->\*?|[-+*/%^&|~!=<>,]{1,2}|\"\".*|\w[\w\s*&]*)$")


def function_name(kernel: str) -> str:
    """``axpy`` of ``void ns::axpy<float>(float, const float *)``; a text of another form as it is."""
    if kernel.startswith("_Z"):
        return _of_mangled(kernel) or kernel
    head = _without_parameters(kernel.strip())
    if operator := _operator(head):
        return operator
    name = _last_segment(_without_template(head)).strip()
    signed = head != kernel.strip() or "::" in head or head.endswith(">")
    return name if _IDENTIFIER.fullmatch(name) and (signed or name == head) else kernel


def _operator(head: str) -> str:
    """The operator that ends a name. Each of its last words ``operator`` is tried once, the first of them first."""
    at, starts = len(head), list[int]()
    while len(starts) < _OPERATORS and (at := head.rfind("operator", 0, at)) >= 0:
        starts.append(at)
    found = (_OPERATOR.match(head, start) for start in reversed(starts))
    return next((operator[0] for operator in found if operator), "")


def _without_parameters(text: str) -> str:
    if not text.endswith((")", ") const")):
        return text
    groups = [(at, end) for at, end in _groups(text) if text[at] == "("]
    if not groups or text[groups[-1][1] + 1 :].strip() not in ("", "const"):
        return text
    head = text[: groups[-1][0]]
    return head + "()" if head.endswith("operator") else head


def _without_template(text: str) -> str:
    groups = _groups(text)
    if text.endswith(">") and groups and groups[-1][1] == len(text) - 1 and groups[-1][0] > 0:
        head = text[: groups[-1][0]]
        return text if head.endswith("::") else head
    return text


def _last_segment(text: str) -> str:
    groups = _groups(text)
    start = groups[-1][0] if groups and groups[-1][1] == len(text) - 1 else len(text)
    covered = [False] * len(text)
    for at, end in groups:
        for i in range(at, end + 1):
            covered[i] = True
    for i in range(start - 1, -1, -1):
        if not covered[i] and (text[i] == " " or text[i - 1 : i + 1] == "::"):
            return text[i + 1 :]
    return text


def _groups(text: str) -> list[tuple[int, int]]:
    """(start, end) of the outermost bracket groups; brackets that do not match are ignored."""
    found: list[tuple[int, int]] = []
    stack: list[int] = []
    for at, letter in enumerate(text):
        if letter in _OPENING:
            stack.append(at)
        elif letter in _CLOSING and stack and text[stack[-1]] == _OPENING[_CLOSING.index(letter)]:
            start = stack.pop()
            if not stack:
                found.append((start, at))
    return found


def _of_mangled(name: str) -> str:
    """The last component of an Itanium-mangled name: ``_ZN2ns4axpyIfEEvfPKf`` -> ``axpy``."""
    at = 2
    nested = name[at : at + 1] == "N"
    at += nested
    last = ""
    while found := _MANGLED_PART.match(name, at):
        length = int(found[1])
        last = name[found.end() : found.end() + length]
        at = found.end() + length
        if not nested:
            break
    return last
