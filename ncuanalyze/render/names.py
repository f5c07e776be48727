"""Names from a report as a reader can bear them: short, on one line, without characters that deceive."""

from __future__ import annotations

import re
import unicodedata

ELLIPSIS = "…"
NO_NAME = "(no name)"
DEFAULT_WIDTH = 60
LEAST_ARGUMENT = 12

_OPEN, _CLOSE = "<([{", ">)]}"
_UNSAFE_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_COMBINING_RUN = re.compile(
    r"([\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]{2})"
    r"[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]+"
)
_CAST_LITERAL = re.compile(r"\((?:unsigned |signed )?(?:int|long|long long|short|char|bool)\)(-?\d+)")
_ANONYMOUS = ("<unnamed>::", "(anonymous namespace)::", "{anonymous}::")
_NAMESPACE = re.compile(r"\b(?:[A-Za-z_]\w*::)+(?=[A-Za-z_\[{~])")
_CLOSING_SPACE = re.compile(r"(?<=[\w>]) >")
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
_PARSED_LENGTH = 4000
_UNIT_NAMES = {"l1tex": "L1", "nvlink": "NVLink"} | {
    name: name.upper() for name in ("alu", "dram", "fma", "fp16", "fp64", "l2", "lsu", "xu")
}


def safe_text(text: str, *, keep_lines: bool = False) -> str:
    """The text with control, bidirectional and invisible characters spelled out as ``\\u202e``.

    ``keep_lines`` leaves newlines and tabs alone (source text). Runs of combining marks are cut to two.
    """
    if text.isascii() and text.isprintable():
        return text
    kept = "\n\t" if keep_lines else ""
    if not text.isprintable():
        text = "".join(char if char in kept or not _is_unsafe(char) else _spelled(char) for char in text)
    return text if text.isascii() else _COMBINING_RUN.sub(r"\1", text)


def inert_cell(text: str) -> str:
    """The text on one line, with a leading apostrophe where a spreadsheet would run it as a formula."""
    return safe_text(f"'{text}" if text.startswith(_FORMULA_STARTS) else text)


def short_name(demangled: str, width: int = DEFAULT_WIDTH) -> str:
    """A kernel's name in at most ``width`` characters, one line, folded in the order that hurts least.

    Return type, parameter list and literal casts go first; then namespaces, then nested template arguments,
    then all of them; a name still too long loses its middle.
    """
    text = _CLOSING_SPACE.sub(">", _signature(safe_text(demangled)[:_PARSED_LENGTH])) or NO_NAME
    for fold in (_as_it_is, _without_namespaces, _nested_folded, _arguments_cut, _arguments_folded):
        shown = fold(text, width)
        if len(shown) <= width:
            return shown
    return middle_cut(shown, width)


def unit_name(unit: str) -> str:
    """A unit of the GPU as readers write it: ``l2`` is ``L2``, ``shared_memory`` is ``shared memory``."""
    return _UNIT_NAMES.get(unit, unit.replace("_", " "))


def _is_unsafe(char: str) -> bool:
    return unicodedata.category(char) in _UNSAFE_CATEGORIES


def _spelled(char: str) -> str:
    code = ord(char)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _signature(text: str) -> str:
    for word in _ANONYMOUS:
        text = text.replace(word, "")
    text = _CAST_LITERAL.sub(r"\1", text.replace("<unnamed>", "unnamed"))
    text = _without_parameters(text)
    start = _last_space_outside(text)
    return text[start:].strip() or text.strip()


def _without_parameters(text: str) -> str:
    """Up to the first parenthesis outside all brackets that follows a name (not ``operator()``)."""
    for position, depth, char in _walk(text):
        if char == "(" and depth == 0 and position > 0 and not text[:position].rstrip().endswith("operator"):
            return text[:position].strip()
    return text


def _last_space_outside(text: str) -> int:
    if "operator" in text:
        return len("void ") if text.startswith("void ") else 0
    spaces = [position + 1 for position, depth, char in _walk(text.rstrip()) if char == " " and depth == 0]
    return spaces[-1] if spaces else 0


def _walk(text: str) -> list[tuple[int, int, str]]:
    """Each character with its position and the bracket depth it stands at (brackets: of their outside)."""
    walked, depth = [], 0
    for position, char in enumerate(text):
        arrow = char == ">" and position > 0 and text[position - 1] == "-"
        if char in _CLOSE and not arrow:
            depth = max(0, depth - 1)
        walked.append((position, depth, char))
        if char in _OPEN:
            depth += 1
    return walked


def _as_it_is(text: str, width: int) -> str:
    return text


def _without_namespaces(text: str, width: int) -> str:
    return _NAMESPACE.sub("", text) or text


def _nested_folded(text: str, width: int) -> str:
    return _folded(_without_namespaces(text, width), 1)


def _arguments_folded(text: str, width: int) -> str:
    return _folded(_without_namespaces(text, width), 0)


def _arguments_cut(text: str, width: int) -> str:
    """The heads of the first template arguments, as many as fit, then an ellipsis."""
    heads = _argument_heads(_without_namespaces(text, width))
    commas = [place for place, depth, char in _walk(heads) if char == "," and depth == 1]
    fitting = [place for place in commas if place + len(f", {ELLIPSIS}>") <= width]
    if len(heads) <= width or not heads.endswith(">"):
        return heads
    if not fitting:
        name, _, only = heads.partition("<")
        return f"{name}<{middle_cut(only[:-1], max(LEAST_ARGUMENT, width - len(name) - 2))}>"
    return f"{heads[: fitting[-1]]}, {ELLIPSIS}>"


def _argument_heads(text: str) -> str:
    """Each template argument up to its first bracket: ``k<8, f<int>(x)::g>`` as ``k<8, f>``."""
    kept: list[str] = []
    inside_tail = False
    for _, depth, char in _walk(text):
        if depth == 1 and char in _OPEN:
            inside_tail = True
        elif depth == 0 or (depth == 1 and char == ","):
            inside_tail = False
        if not inside_tail:
            kept.append(char)
    return "".join(kept)


def _folded(text: str, deepest: int) -> str:
    """The text with the inside of every bracket below ``deepest`` replaced by an ellipsis."""
    kept: list[str] = []
    for _, depth, char in _walk(text):
        if depth <= deepest:
            kept.append(char)
        elif kept[-1] != ELLIPSIS:
            kept.append(ELLIPSIS)
    return "".join(kept)


def middle_cut(text: str, width: int) -> str:
    """The text in at most ``width`` characters: its start and its end, an ellipsis between."""
    if len(text) <= width:
        return text
    tail = max(0, (width - 1) // 3)
    return text[: width - 1 - tail] + ELLIPSIS + (text[-tail:] if tail else "")
