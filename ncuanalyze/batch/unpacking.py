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
from ncuanalyze.batch.unpacker import NEXT
from ncuanalyze.errors import UnreadableReport


class NotUnpackedHere(UnreadableReport):
    """This machine failed, not the archive: another attempt may do."""


def unpacked_members(archive: Path, folder: Path, *, timeout_s: float) -> Iterator[Member]:
    """The reports of an archive, each unpacked to a file in ``folder`` when it is asked for; the caller deletes it.

    ``timeout_s`` is for each member. Raises UnreadableReport where the archive cannot be read (to its end): what came
    before stands; NotUnpackedHere where this machine is to blame.
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
        kind = NotUnpackedHere if reply.get("here") else UnreadableReport
        raise kind(str(reply["failed"]), hint=str(reply.get("hint") or "Make the archive again."))


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
    message = receive(replies) if ready else None
    if message is None:
        return {
            "end": True,
            "failed": f"unpacking it failed or took longer than {timeout_s:g} s for one member",
            "hint": "Give it more time with --timeout; a damaged archive may never end.",
        }
    return message[0]
