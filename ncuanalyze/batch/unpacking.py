"""Unpacks an archive in a process of its own, so that a hostile one costs only itself."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ncuanalyze.batch.archive import Member
from ncuanalyze.batch.frames import receive
from ncuanalyze.batch.unpacker import NEXT
from ncuanalyze.errors import UnreadableReport


def unpacked_members(archive: Path, folder: Path, *, timeout_s: float) -> Iterator[Member]:
    """The reports of an archive, each unpacked to a file in ``folder`` when it is asked for; the caller deletes it.

    ``timeout_s`` is for each member. Raises UnreadableReport where the archive cannot be read (to its end): what came
    before stands.
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
        raise UnreadableReport(str(reply["failed"]), hint=str(reply.get("hint") or "Make the archive again."))


def _asked(process: subprocess.Popen[bytes], timeout_s: float) -> dict[str, Any]:
    guard = threading.Timer(timeout_s, process.kill)
    guard.start()
    try:
        if process.stdin is None or process.stdout is None:
            raise OSError("no pipe")
        process.stdin.write(NEXT)
        process.stdin.flush()
        message = receive(process.stdout)
    except OSError:
        message = receive(process.stdout) if process.stdout is not None else None
    finally:
        guard.cancel()
    if message is None:
        return {"end": True, "failed": f"unpacking it failed or took longer than {timeout_s:g} s for one member"}
    return message[0]
