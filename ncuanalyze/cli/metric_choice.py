"""Which launches and metrics of a profile a pattern picks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ncuanalyze.errors import InvalidInput
from ncuanalyze.frame import metric_names
from ncuanalyze.load.labels import labels
from ncuanalyze.pattern import Pattern
from ncuanalyze.profile import Profile


def choose_launches(profile: Profile, pattern: str | None) -> Profile:
    """The profile with the launches whose name matches. Raises InvalidInput where none does."""
    if pattern is None:
        return profile
    wanted = Pattern(pattern, "--kernel")
    kept = tuple(launch for launch in profile.launches if wanted.finds(launch.name, launch.demangled))
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
    wanted = [Pattern(pattern, "--metric") for pattern in patterns]
    printed = labels().labels_of()
    kept = [name for name in names if any(regex.finds(name, *printed.get(name, ())) for regex in wanted)]
    if not kept:
        raise InvalidInput(f"no metric matches {' or '.join(map(repr, patterns))}", hint=_suggestion(patterns, names))
    return kept


def _suggestion(patterns: Sequence[str], names: Sequence[str]) -> str:
    import difflib

    close = [name for pattern in patterns for name in difflib.get_close_matches(pattern, names, n=3, cutoff=0.5)]
    if close:
        return f"Close names: {', '.join(close)}"
    return "ncuanalyze metrics REPORT without --metric lists every metric of the report."
