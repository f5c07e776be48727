"""How ncu was run, read from its command line and from what it printed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from ncuanalyze.profile import Settings

_VERSION = re.compile(r"(\d{4}\.\d{1,9}(?:\.\d{1,9})*)")
_BASE_CLOCK_UNTIL = (2025, 4)
_BOOST_CLOCK_SINCE = (2026, 1)
_EARLIEST, _LATEST = 1_182_556_800, 253_402_300_800  # 2007-06-23, 10000-01-01
_UNLOCKED = "unmodified GPU clocks"


def settings_of_command(command: str, attributes: Mapping[str, str], *, created_unix_s: int = 0) -> Settings:
    """Settings of a report whose session holds ncu's command line.

    Options that the command leaves out stand at ncu's default: caches flushed, kernel replay, and the clock
    locked to base before 2025.4 and to boost since 2026.1 (in between: unknown).
    """
    version = ncu_version(attributes.get("Nsight Compute Target", ""))
    if not command:
        return Settings(ncu_version=version, created=_moment(created_unix_s))
    options = _options(command)
    return Settings(
        ncu_version=version,
        clock_control=options.get("--clock-control", _default_clock(version)),
        cache_control=options.get("--cache-control", "all"),
        replay_mode=options.get("--replay-mode", "kernel"),
        command=command,
        created=_moment(created_unix_s),
    )


def settings_of_output(lines: Iterable[str]) -> Settings:
    """Settings that ncu's printed messages give away."""
    unlocked = any(_UNLOCKED in line for line in lines)
    return Settings(clock_control="none" if unlocked else "")


def ncu_version(text: str) -> str:
    """``2025.3.1.0`` of ``2025.3.1.0 (build 36398880)``; an empty text where there is none."""
    found = _VERSION.search(text)
    return found[1] if found else ""


def _moment(unix_s: int) -> str:
    """ISO 8601 in UTC; an empty text for a time before CUDA or beyond four-digit years."""
    if not _EARLIEST <= unix_s < _LATEST:
        return ""
    from datetime import UTC, datetime

    return datetime.fromtimestamp(unix_s, UTC).isoformat()


def _options(command: str) -> dict[str, str]:
    import shlex

    try:
        words = shlex.split(command)
    except ValueError:
        words = command.split()
    options: dict[str, str] = {}
    for word, following in zip(words, [*words[1:], ""], strict=True):
        name, equals, value = word.partition("=")
        if name.startswith("--"):
            options.setdefault(name, value if equals else following)
    return options


def _default_clock(version: str) -> str:
    if not version:
        return ""
    year_and_minor = tuple(int(part) for part in version.split(".")[:2])
    if year_and_minor < _BASE_CLOCK_UNTIL:
        return "base"
    return "boost" if year_and_minor >= _BOOST_CLOCK_SINCE else ""
