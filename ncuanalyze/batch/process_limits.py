"""Limits of a process, never above those that the system or the user's shell has set already."""

from __future__ import annotations

import resource
import sys


def within(kind: int, wanted: int) -> int:
    """The limit that a process can get: ``wanted``, or the one that it has where that is lower."""
    held, _ = resource.getrlimit(kind)
    most = sys.maxsize if held == resource.RLIM_INFINITY else held
    return min(wanted, most)


def lower(kind: int, wanted: int) -> None:
    """Limit this process. Raises OSError or ValueError where the system refuses."""
    value = within(kind, wanted)
    resource.setrlimit(kind, (value, value))


def lower_cpu(wanted_s: int) -> None:
    """Limit this process's time on a processor: a signal that tells, and a second later the end."""
    hard = within(resource.RLIMIT_CPU, wanted_s + 1)
    resource.setrlimit(resource.RLIMIT_CPU, (max(1, hard - 1), hard))
