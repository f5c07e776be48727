"""What the paths on the command line stand for: files, folders, globs and object-store URLs."""

from __future__ import annotations

import glob
from collections.abc import Iterator, Sequence
from pathlib import Path

from ncuanalyze.batch.found import Found
from ncuanalyze.batch.limits import DEFAULT_TIMEOUT_S
from ncuanalyze.batch.places import Places
from ncuanalyze.batch.remote import is_url, remote_files
from ncuanalyze.errors import InvalidInput

_HINT = "Reports end in .ncu-rep or .csv (packed or not), archives in .zip or .tar and its kin."
_MOST_SHOWN = 120


def discover(paths: Sequence[str], *, output: Path | None = None, timeout_s: float = DEFAULT_TIMEOUT_S) -> list[Found]:
    """Every report and archive that the paths stand for, once each, in order of their names.

    A folder is searched to its depths for files with a report's or an archive's ending; what lies in ``output`` is
    left out. ``timeout_s`` is for listing one URL. Raises InvalidInput for a path that does not exist, and where all of
    them stand for nothing.
    """
    places = Places(output)
    found: dict[str, Found] = {}
    for path in paths:
        items = remote_files(path, timeout_s=timeout_s) if is_url(path) else _local(path, places)
        found |= {item.report: item for item in items}
    if not found:
        raise InvalidInput(f"{' and '.join(map(_shown, paths[:3]))} holds no report", hint=_HINT)
    return [found[name] for name in sorted(found)]


def _local(path: str, places: Places) -> Iterator[Found]:
    place = Path(path)
    try:
        is_there = place.exists() or place.is_symlink()
    except OSError as error:  # a name that no file system takes
        raise InvalidInput(f"{_shown(path)}: {error.strerror}", hint="Check the path.") from error
    if is_there:
        yield from places.at(place)
    elif glob.has_magic(path):
        yield from _globbed(path, places)
    else:
        raise InvalidInput(
            f"{_shown(path)} does not exist", hint="Check the path; quote a glob so that the shell keeps it."
        )


def _globbed(pattern: str, places: Places) -> Iterator[Found]:
    matches = sorted(glob.glob(pattern, recursive=True))  # noqa: PTH207 (Path.glob takes no absolute pattern)
    if not matches:
        raise InvalidInput(f"{_shown(pattern)} matches nothing", hint="Check the pattern.")
    for match in matches:
        yield from places.at(Path(match))


def _shown(path: str) -> str:
    """The path in a message: paths may be of any length."""
    return path if len(path) <= _MOST_SHOWN else f"{path[:_MOST_SHOWN]}.. ({len(path):,} characters)"
