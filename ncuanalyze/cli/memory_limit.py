"""Bounds the memory of the process that reads reports by what this machine has: no file takes the machine down."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

SHARE = 0.75  # of the memory: the rest is the system's
LEAST_BYTES = 4 << 30
"""Address space is more than memory: on many cores the thread stacks of numpy and Arrow alone reserve gigabytes."""
TOO_LITTLE_MEMORY = "it takes more memory than this process may have"
MEMORY_HINT = "Export fewer kernels at a time, or raise the limit (ulimit -v); a damaged file may ask for any amount."
_OF_CONTAINER = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")


def bound_memory() -> None:
    """Lower the limit on this process's address space, where the system has one; a lower one of the shell stands."""
    with suppress(OSError, ValueError, ImportError):
        import resource

        from ncuanalyze.batch.process_limits import lower

        lower(resource.RLIMIT_AS, allowed_bytes([_of_machine(), *map(_of_container, map(Path, _OF_CONTAINER))]))


def allowed_bytes(limits: list[int | None]) -> int:
    """The address space under these limits on memory, unknown ones left out."""
    known = [limit for limit in limits if limit is not None]
    if not known:
        raise ValueError("the memory of this machine is unknown")
    return max(LEAST_BYTES, int(SHARE * min(known)))


def _of_machine() -> int | None:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (OSError, ValueError):
        return None


def _of_container(file: Path) -> int | None:
    """The limit of a control group; it reads ``max`` where there is none."""
    try:
        return int(file.read_text())
    except (OSError, ValueError):
        return None
