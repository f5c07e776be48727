"""A process that unpacks one archive, a member at a time as it is asked; run by ``unpacking``."""

from __future__ import annotations

import os
import resource
import sys
from pathlib import Path

from ncuanalyze.batch.archive import members_of
from ncuanalyze.batch.archive_damage import damage
from ncuanalyze.batch.archive_limits import TooLarge
from ncuanalyze.batch.frames import send
from ncuanalyze.batch.machine_errors import is_of_this_machine
from ncuanalyze.batch.outcome import Ending
from ncuanalyze.batch.process_limits import lower, within
from ncuanalyze.errors import MissingDependency, NcuAnalyzeError

MEMORY_BYTES = 1 << 30
NEXT = b"n"


def main(archive: Path, folder: Path) -> None:
    """For each byte on standard input, send one member; then say how the archive ended."""
    memory_bytes = within(resource.RLIMIT_AS, MEMORY_BYTES)
    lower(resource.RLIMIT_AS, memory_bytes)
    lower(resource.RLIMIT_CORE, 0)
    failed, hint, ending = "", "", Ending.REFUSED
    replies = os.fdopen(os.dup(1), "wb")
    asked = sys.stdin.buffer
    try:
        for member in members_of(archive, folder):
            if asked.read(1) != NEXT:
                return
            send(replies, {"name": member.name, "file": member.file, "refused": member.refused})
    except NcuAnalyzeError as error:
        failed, hint = str(error), error.hint
        ending = Ending.UNREACHABLE if isinstance(error, MissingDependency) else ending
    except TooLarge as error:
        failed, hint = str(error), "Split it into smaller archives if it is genuine."
    except MemoryError:
        failed, ending = f"unpacking it takes more than {memory_bytes >> 20:,} MiB of memory", Ending.MEMORY
    except damage() as error:
        failed = f"it is damaged or no archive: {error}"
        if is_of_this_machine(error):
            (failed, hint), ending = _here(error), Ending.UNREACHABLE
    send(replies, {"end": True, "failed": failed, "hint": hint, "ending": ending.value})


def _here(error: Exception) -> tuple[str, str]:
    reason = getattr(error, "strerror", "") or str(error)
    return f"it cannot be unpacked here: {reason}", "Make room for temporary files (TMPDIR), and run again."


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
