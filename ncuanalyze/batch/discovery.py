"""What the paths on the command line stand for: files, folders, globs and object-store URLs."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from ncuanalyze.batch.endings import is_archive, is_report
from ncuanalyze.batch.found import Found
from ncuanalyze.batch.limits import DEFAULT_TIMEOUT_S
from ncuanalyze.batch.remote import is_url, remote_files
from ncuanalyze.errors import InvalidInput

_HINT = "Reports end in .ncu-rep or .csv (packed or not), archives in .zip or .tar and its kin."


def discover(paths: Sequence[str], *, output: Path | None = None, timeout_s: float = DEFAULT_TIMEOUT_S) -> list[Found]:
    """Every report and archive that the paths stand for, once each, in order of their names.

    A folder is searched to its depths for files with a report's or an archive's ending; what lies in ``output`` is
    left out. ``timeout_s`` is for listing one URL. Raises InvalidInput for a path that stands for nothing.
    """
    found: dict[str, Found] = {}
    for path in paths:
        items = list(remote_files(path, timeout_s=timeout_s) if is_url(path) else _local(path))
        if not items:
            raise InvalidInput(f"{path} holds no report", hint=_HINT)
        found |= {item.report: item for item in items if output is None or not _is_below(item.path, output)}
    return [found[name] for name in sorted(found)]


def _local(path: str) -> Iterator[Found]:
    place = Path(path)
    if place.is_dir():
        yield from _folder(place)
    elif place.exists() or place.is_symlink():
        yield _file(place)
    elif glob.has_magic(path):
        yield from _globbed(path)
    else:
        raise InvalidInput(f"{path} does not exist", hint="Check the path; quote a glob so that the shell keeps it.")


def _globbed(pattern: str) -> Iterator[Found]:
    for match in sorted(glob.glob(pattern, recursive=True)):  # noqa: PTH207 (Path.glob takes no absolute pattern)
        place = Path(match)
        if place.is_dir():
            yield from _folder(place)
        else:
            yield _file(place)


def _folder(folder: Path) -> Iterator[Found]:
    top = folder.resolve()
    for parent, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            if is_report(name) or is_archive(name):
                yield _file(Path(parent) / name, top=top)


def _file(place: Path, *, top: Path | None = None) -> Found:
    """``top``: the folder that a link must not lead out of; None for a file that the user named."""
    name = os.fsencode(place.as_posix()).decode(errors="backslashreplace")
    if not place.is_file():
        reason = "it is not a plain file" if place.exists() else "it is a broken link"
        return Found(report=name, refused=reason, hint="Give a file.")
    if top is not None and place.is_symlink() and not place.resolve().is_relative_to(top):
        return Found(report=name, refused="it is a link out of the folder", hint="Name the file itself to read it.")
    return Found(report=name, path=str(place.absolute()))


def _is_below(path: str, folder: Path) -> bool:
    return bool(path) and Path(path).is_relative_to(folder.absolute())
