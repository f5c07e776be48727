"""A process that has everything loaded and forks a child for each report; run by ``isolated``.

A fork of a warm process costs 10 ms where a new process costs 250 ms, so every report can have its own: nothing that
one does to its reader (a crash, a leak, a changed global) reaches the next.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from importlib.resources import as_file, files
from pathlib import Path
from typing import IO

from ncuanalyze.batch.forked import run_forked
from ncuanalyze.batch.frames import receive, send
from ncuanalyze.batch.one_report import diagnose_report
from ncuanalyze.errors import NcuAnalyzeError
from ncuanalyze.ruleset import RuleSet, load_rules

WARM_UP = ("warm_up.ncu-rep.xz", "warm_up.csv")


def main(arguments: list[str]) -> None:
    """Serve requests from standard input until it ends. Arguments: a rules folder and a thresholds file, or ''."""
    requests, replies = _streams()
    folder, thresholds = (Path(text) if text else None for text in arguments)
    try:
        _greet_and_serve(requests, replies, folder, thresholds)
    except (InterruptedError, BrokenPipeError):  # nobody is there to hear of it
        with suppress(OSError):
            replies.close()  # else Python tries to write what is left, and complains


def _greet_and_serve(requests: IO[bytes], replies: IO[bytes], folder: Path | None, thresholds: Path | None) -> None:
    try:
        rules = load_rules(folder, thresholds)
    except NcuAnalyzeError as error:
        send(replies, {"ready": False, "message": str(error), "hint": error.hint})
        return
    _warm_up(rules)
    send(replies, {"ready": True})
    _serve(requests, replies, rules)


def _serve(requests: IO[bytes], replies: IO[bytes], rules: RuleSet) -> None:
    while (message := receive(requests)) is not None:
        request = message[0]
        path, memory = Path(request["path"]), int(request["memory_bytes"])
        outcome = run_forked(
            lambda path=path, memory=memory: diagnose_report(path, rules, memory),  # type: ignore[misc]
            timeout_s=float(request["timeout_s"]),
            memory_bytes=memory,
            alive=requests.fileno(),
            private=(requests.fileno(), replies.fileno()),
        )
        replies.write(outcome.to_bytes())
        replies.flush()


def _streams() -> tuple[IO[bytes], IO[bytes]]:
    """The two pipes, moved away from where a stray print or native code would reach them."""
    requests = os.fdopen(os.dup(0), "rb", buffering=0)
    replies = os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0)
    os.dup2(nowhere, 1)
    return requests, replies


def _warm_up(rules: RuleSet) -> None:
    """Read a small report of each kind once: children then inherit every module and table that reading needs."""
    for name in WARM_UP:
        with as_file(files("ncuanalyze.batch").joinpath(name)) as report:
            diagnose_report(report, rules, 0)


if __name__ == "__main__":
    main(sys.argv[1:])
