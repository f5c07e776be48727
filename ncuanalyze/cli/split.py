"""Splits the command in two: a child that reads reports, a parent that turns its violent death into one error line.

NVIDIA's module is native code: a damaged report can end its process by a signal, which no ``except`` sees. The split
costs a fork before the first report; the child ends without the clean-up of the interpreter, which wins it back.
"""

from __future__ import annotations

import atexit
import os
import signal
import sys
import time
from typing import NoReturn

from ncuanalyze.cli.error_line import error_line
from ncuanalyze.cli.memory_limit import MEMORY_HINT, TOO_LITTLE_MEMORY, bound_memory
from ncuanalyze.cli.stopping import interrupt, interrupt_when_told

_CRASHES = {signal.SIGSEGV, signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGILL}
_OUT_OF_MEMORY = 77
"""Exit status of a child that has no memory left to say so."""
_END = b"\0"
_CHUNK = 1 << 16
_OWN_ACCORD_S = 0.3
_PATIENCE_S = 1.0
"""How long an interrupted child may clean up before it is killed: native code does not hear of an interrupt."""


class Split:
    """Is off until the console script turns it on: whoever calls a command as a function is never forked."""

    def __init__(self) -> None:
        self.is_on = False
        self._names: int | None = None

    def before_reading(self, report: str) -> None:
        """Called in front of each report: the first time, only a child comes back from here."""
        if not self.is_on:
            return
        if self._names is None:
            self._names = _child()
        os.write(self._names, os.fsencode(report) + _END)

    def leave(self, end: SystemExit) -> None:
        """End the child at once, its temporary files gone: taking apart what a report left in memory takes 20 ms."""
        if self._names is None or isinstance(end.code, str):
            return
        atexit._run_exitfuncs()
        _flush()
        os._exit(end.code or 0)

    def out_of_memory(self) -> None:
        """End the child: its parent says so. Returns where nothing was split."""
        if self._names is not None:
            atexit._run_exitfuncs()
            os._exit(_OUT_OF_MEMORY)


SPLIT = Split()


def _flush() -> None:
    sys.stdout.flush()
    sys.stderr.flush()


def _child() -> int:
    """Fork; returns in the child alone, with the pipe that takes the name of what it reads."""
    _flush()
    names, writing = os.pipe()
    orphaned, alive = os.pipe()
    child = os.fork()
    if child:
        os.close(writing)
        os.close(orphaned)
        _be_the_parent(child, names)
    os.close(names)
    os.close(alive)
    _end_with_the_parent(orphaned)
    bound_memory()
    signal.signal(signal.SIGTERM, interrupt)
    return writing


def _end_with_the_parent(orphaned: int) -> None:
    """Have the system end this process when the other end of the pipe closes: the parent was killed."""
    import fcntl

    fcntl.fcntl(orphaned, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(orphaned, fcntl.F_SETFL, os.O_ASYNC)


def _be_the_parent(child: int, names: int) -> NoReturn:
    """Wait for the child and end as it ended; nothing else of this process runs any more."""
    interrupt_when_told()
    try:
        report = last_name(names)
        _, status = os.waitpid(child, 0)
    except KeyboardInterrupt as end:
        status = _interrupted(child)
        if end.args:
            _pass_on(end.args[0], "")
        os._exit(os.WEXITSTATUS(status) if os.WIFEXITED(status) else 1)
    if os.WIFEXITED(status):
        _leave_as_it_left(os.WEXITSTATUS(status), report)
    _pass_on(signal.Signals(os.WTERMSIG(status)), report)


def _leave_as_it_left(status: int, report: str) -> NoReturn:
    if status == _OUT_OF_MEMORY:
        error_line(f"{report}: {TOO_LITTLE_MEMORY}", MEMORY_HINT).show()
        status = 1
    os._exit(status)


def last_name(names: int) -> str:
    """The report that the child read last, once it has ended."""
    told = b""
    while part := os.read(names, _CHUNK):
        told = _END.join((told + part).split(_END)[-2:])
    return os.fsdecode(told.removesuffix(_END))


def _interrupted(child: int) -> int:
    """The child's status, once it has cleaned up: a terminal interrupts both, so it is told only if it goes on."""
    for told, patience_s in ((0, _OWN_ACCORD_S), (signal.SIGTERM, _PATIENCE_S), (signal.SIGKILL, _PATIENCE_S)):
        os.kill(child, told)
        deadline = time.monotonic() + patience_s
        while time.monotonic() < deadline:
            ended, status = os.waitpid(child, os.WNOHANG)
            if ended:
                return status
            time.sleep(0.01)
    return 0


def _pass_on(cause: signal.Signals, report: str) -> NoReturn:
    if cause in _CRASHES or cause is signal.SIGKILL:
        error_line(*_death(cause, report)).show()
        os._exit(1)
    signal.signal(cause, signal.SIG_DFL)
    os.kill(os.getpid(), cause)
    os._exit(1)


def _death(cause: signal.Signals, report: str) -> tuple[str, str]:
    if cause is signal.SIGKILL:
        return f"{report}: the process that read it was killed", "The machine may be out of memory."
    return (
        f"{report} crashed NVIDIA's ncu_report ({cause.name}): it is damaged, or of a kind that it cannot read",
        "Copy the file again in binary mode, or open it in ncu-ui to see; its CSV export needs no ncu_report.",
    )
