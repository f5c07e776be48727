"""Which launches and metrics of a profile a pattern picks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from ncuanalyze.errors import InvalidInput
from ncuanalyze.frame import metric_names
from ncuanalyze.load.labels import labels
from ncuanalyze.profile import Profile


def choose_launches(profile: Profile, pattern: str | None) -> Profile:
    """The profile with the launches whose name matches. Raises InvalidInput where none does."""
    if pattern is None:
        return profile
    wanted = _compiled(pattern)
    kept = tuple(launch for launch in profile.launches if wanted.search(launch.name) or wanted.search(launch.demangled))
    if not kept:
        names = ", ".join(dict.fromkeys(launch.name for launch in profile.launches))
        raise InvalidInput(f"no kernel matches {pattern!r}", hint=f"The report has: {names}")
    return replace(profile, launches=kept)


def choose_metrics(profile: Profile, patterns: Sequence[str]) -> list[str]:
    """The metric names that any pattern matches, by name or by printed label; without a pattern all.

    Raises InvalidInput where none matches.
    """
    names = metric_names(profile.launches)
    if not patterns:
        return names
    wanted = [_compiled(pattern) for pattern in patterns]
    printed = labels().labels_of()
    kept = [name for name in names if any(_matches(regex, name, printed.get(name, ())) for regex in wanted)]
    if not kept:
        raise InvalidInput(f"no metric matches {' or '.join(map(repr, patterns))}", hint=_suggestion(patterns, names))
    return kept


def _matches(regex: re.Pattern[str], name: str, printed: Sequence[str]) -> bool:
    return regex.search(name) is not None or any(regex.search(label) for label in printed)


def _compiled(pattern: str) -> re.Pattern[str]:
    try:
        return re.compile(pattern)
    except re.error as error:
        raise InvalidInput(
            f"{pattern!r} is no regular expression: {error}",
            hint="Put a backslash before . * + ? ( ) [ ] in a plain name.",
        ) from error


def _suggestion(patterns: Sequence[str], names: Sequence[str]) -> str:
    import difflib

    close = [name for pattern in patterns for name in difflib.get_close_matches(pattern, names, n=3, cutoff=0.5)]
    if close:
        return f"Close names: {', '.join(close)}"
    return "ncuanalyze metrics REPORT without --metric lists every metric of the report."
