"""Limits of a process, never above those that the system or the user's shell has set already."""

from __future__ import annotations

import resource
import sys


def within(kind: int, wanted: int) -> int:
    """The limit that a process can get: ``wanted``, or the hard limit that it has where that is lower."""
    _, hard = resource.getrlimit(kind)
    most = sys.maxsize if hard == resource.RLIM_INFINITY else hard
    return min(wanted, most)


def lower(kind: int, wanted: int) -> None:
    """Limit this process. Raises OSError or ValueError where the system refuses."""
    value = within(kind, wanted)
    resource.setrlimit(kind, (value, value))


def lower_cpu(wanted_s: int) -> None:
    """Limit this process's time on a processor: a signal that tells, and a second later the end."""
    hard = within(resource.RLIMIT_CPU, wanted_s + 1)
    resource.setrlimit(resource.RLIMIT_CPU, (max(1, hard - 1), hard))
