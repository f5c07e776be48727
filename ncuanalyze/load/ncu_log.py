"""Lines that ncu prints beside its data: warnings to pass on, errors with their remedy."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ncuanalyze.data import table
from ncuanalyze.errors import NcuAnalyzeError, ProfilingFailed, UnknownFormat
from ncuanalyze.load.bounded import bounded_label

_TAGGED = re.compile(r"\s*==(PROF|WARNING|ERROR)== ?(.*)")
_MOST_WARNINGS = 50
_ANY_ERROR = "==ERROR=="
_REPORT = re.compile(r"==PROF== Report: (.+)")


def warnings_of(messages: Sequence[str]) -> tuple[str, ...]:
    """What ncu warned of, in its words, each once; of a great many the first."""
    found = (_TAGGED.fullmatch(line) for line in messages)
    kept = (bounded_label(f"ncu: {match[2].strip()}") for match in found if match and match[1] != "PROF")
    said = [*dict.fromkeys(kept)]
    more = (f"ncu: {len(said) - _MOST_WARNINGS:,} more warnings",) if len(said) > _MOST_WARNINGS else ()
    return (*said[:_MOST_WARNINGS], *more)


def failure_in(text: str, path: str) -> NcuAnalyzeError | None:
    """The error for a log without any data; None where the text is no log of ncu."""
    if "==PROF==" not in text and "==ERROR==" not in text and "==WARNING==" not in text:
        return None
    for entry in table("load", "ncu_messages")["failure"]:
        if entry["words"] in text:
            return ProfilingFailed(f"{path}: {entry['message']}{_quote(text, entry['words'])}", hint=entry["hint"])
    if report := _REPORT.search(text):
        return UnknownFormat(
            f"{path} is the log of an ncu run, not its report",
            hint=f"The run wrote its report to {bounded_label(report[1].strip())}",
        )
    return UnknownFormat(
        f"{path} is the log of an ncu run without data: no kernels in it",
        hint="Export the report: ncu --import REPORT --csv --page raw > report.csv",
    )


def _quote(text: str, words: str) -> str:
    """What ncu says in an error we have no words for, and the metrics that it lists behind others."""
    line = next(line for line in text.split("\n") if words in line)
    if words == _ANY_ERROR:
        return bounded_label(f": {line.partition(words)[2].strip()}")
    _, colon, names = line.rpartition(": ")
    return bounded_label(f": {names.strip()}") if colon and "__" in names else ""
