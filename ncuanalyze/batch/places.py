"""The reports at a place of this machine's file systems: a file, or a folder searched to its depths."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from ncuanalyze.batch.endings import is_archive, is_report
from ncuanalyze.batch.found import Found
from ncuanalyze.batch.outcome import Ending

_ESCAPE = re.compile(r"\\x[89a-f][0-9a-f]")


class Places:
    """Looks everywhere but below ``output``."""

    def __init__(self, output: Path | None) -> None:
        self._output = None if output is None else Path(os.path.realpath(output))

    def at(self, place: Path) -> Iterator[Found]:
        """The file itself, or every report and archive below the folder. What cannot be looked at is given as such."""
        real = Path(os.path.realpath(place))
        if self._output is not None and real.is_relative_to(self._output):
            return
        if place.is_dir():
            yield from self._below(place, real)
        else:
            yield _file(place, None)

    def _below(self, folder: Path, top: Path) -> Iterator[Found]:
        closed: list[OSError] = []
        for parent, folders, names in os.walk(folder, onerror=closed.append):
            real = top / Path(parent).relative_to(folder)
            folders[:] = sorted(name for name in folders if real / name != self._output)
            for name in sorted(names):
                if is_report(name) or is_archive(name) or _is_broken_link(Path(parent) / name):
                    yield _file(Path(parent) / name, top)
            for name in folders:
                if self._is_link_out(Path(parent) / name, top):
                    yield _link_out(Path(parent) / name, "folder")
        yield from (_closed(error) for error in closed)

    def _is_link_out(self, place: Path, top: Path) -> bool:
        """Whether it is a link to what is not looked at otherwise: what lies below ``top`` is, under its own path."""
        if not os.path.islink(place):  # noqa: PTH114 (it does not raise for a path that is too long)
            return False
        real = Path(os.path.realpath(place))
        is_output = self._output is not None and real.is_relative_to(self._output)
        return not real.is_relative_to(top) and not is_output


def _closed(error: OSError) -> Found:
    return Found(
        report=name_of(Path(os.fsdecode(error.filename))),
        refused=f"the folder cannot be listed: {error.strerror}",
        hint="Check the permissions, or give a folder further down.",
        ending=Ending.UNREACHABLE,
    )


def _file(place: Path, top: Path | None) -> Found:
    """``top``: the folder that a link must not lead out of; None for a file that the user named."""
    name = name_of(place)
    try:
        if not place.is_file():
            reason = "it is not a plain file" if place.exists() else "it is a broken link"
            return Found(report=name, refused=reason, hint="Give a file.")
        if top is not None and place.is_symlink() and not place.resolve().is_relative_to(top):
            return _link_out(place, "file")
    except OSError as error:
        return Found(report=name, refused=f"{error.strerror}", hint="Check the path.", ending=Ending.UNREACHABLE)
    return Found(report=name, path=str(place.absolute()))


def _is_broken_link(place: Path) -> bool:
    """Whether nobody knows what it would lead to: a folder of a disk that is not there, say."""
    return os.path.islink(place) and not os.path.exists(place)  # noqa: PTH110, PTH114 (these do not raise)


def _link_out(place: Path, kind: str) -> Found:
    hint = f"Name the {kind} itself to read it."
    return Found(report=name_of(place), refused="it is a link out of the folder", hint=hint)


def name_of(place: Path) -> str:
    r"""A path as text. A byte that is no UTF-8 is spelled ``\xff``; a backslash that would read so is doubled."""
    path = place.as_posix()
    shown = os.fsencode(path).decode(errors="backslashreplace")
    if _ESCAPE.search(shown):
        return os.fsencode(path.replace("\\", "\\\\")).decode(errors="backslashreplace")
    return shown
