"""Unpacks an archive in a process of its own, so that a hostile one costs only itself."""

from __future__ import annotations

import selectors
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from ncuanalyze.batch.archive import Member
from ncuanalyze.batch.frames import receive
from ncuanalyze.batch.outcome import Ending
from ncuanalyze.batch.unpacker import NEXT
from ncuanalyze.errors import UnreadableReport

_DIED = "The archive is damaged, or the machine is out of memory: give the command again, or unpack it by hand."


class NotUnpacked(UnreadableReport):
    """The archive was not read to its end; ``ending`` says who is to blame."""

    def __init__(self, message: str, *, hint: str, ending: Ending = Ending.REFUSED) -> None:
        super().__init__(message, hint=hint or "Make the archive again.")
        self.ending = ending


def unpacked_members(archive: Path, folder: Path, *, timeout_s: float) -> Iterator[Member]:
    """The reports of an archive, each unpacked to a file in ``folder`` when it is asked for; the caller deletes it.

    ``timeout_s`` is for each member. Raises NotUnpacked where the archive cannot be read (to its end): what came before
    stands.
    """
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "ncuanalyze.batch.unpacker", str(archive), str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        while True:
            reply = _asked(process, timeout_s)
            if reply.get("end"):
                break
            yield Member(name=reply["name"], file=reply["file"], refused=reply["refused"])
    finally:
        process.kill()
        process.communicate()
    if reply.get("failed"):
        raise NotUnpacked(str(reply["failed"]), hint=str(reply.get("hint") or ""), ending=Ending(reply["ending"]))


def _asked(process: subprocess.Popen[bytes], timeout_s: float) -> dict[str, Any]:
    asking, replies = process.stdin, process.stdout
    if asking is None or replies is None:
        raise OSError("no pipe")
    with suppress(OSError):  # it has said how the archive ended, and gone
        asking.write(NEXT)
        asking.flush()
    with selectors.DefaultSelector() as waiting:  # ``select`` knows no descriptor beyond 1,023
        waiting.register(replies, selectors.EVENT_READ)
        ready = waiting.select(timeout_s)
    if not ready:
        raise NotUnpacked(
            f"unpacking one member took longer than {timeout_s:g} s",
            hint="Give it more time with --timeout; a damaged archive may never end.",
            ending=Ending.TIMEOUT,
        )
    message = receive(replies)
    if message is None:
        raise NotUnpacked("the process that unpacks it died", hint=_DIED, ending=Ending.CRASHED)
    return message[0]
