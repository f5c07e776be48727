"""The text of source lines: what the report embeds, else files under a folder the user named."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from ncuanalyze.profile import SourceView


class SourceText:
    """Lines by file name, as the report names it. Nothing is read from disk unless ``root`` is given.

    A file of the report is looked for below ``root`` by its trailing path parts, longest first; a match that
    resolves to a place outside ``root``, is no regular file, or is larger than ``file_bytes`` is not read.
    """

    def __init__(self, source: SourceView | None, root: Path | None, *, file_bytes: int, width: int) -> None:
        self._source = source
        self._embedded: Mapping[str, str] | None = None
        self._root = root.resolve() if root is not None else None
        self._file_bytes, self._width = file_bytes, width
        self._lines: dict[str, tuple[str, ...]] = {}
        self.from_disk: list[str] = []

    def line(self, file: str, number: int) -> str:
        """The text of a line counted from 1; empty where it is not known."""
        lines = self._lines_of(file)
        return lines[number - 1][: self._width] if 1 <= number <= len(lines) else ""

    def around(self, file: str, numbers: list[int], reach: int) -> tuple[tuple[int, str], ...]:
        """The (line, text) pairs within ``reach`` lines of the given ones, in order; empty without text."""
        last = len(self._lines_of(file))
        wanted = {
            near for line in numbers for near in range(line - reach, line + reach + 1) if 1 <= near <= last
        }
        return tuple((line, self.line(file, line)) for line in sorted(wanted))

    def _lines_of(self, file: str) -> tuple[str, ...]:
        if file not in self._lines:
            text = self._embedded_text(file) or self._read(file)
            self._lines[file] = tuple(text.split("\n")) if text else ()
        return self._lines[file]

    def _embedded_text(self, file: str) -> str:
        if self._embedded is None:
            self._embedded = self._source.files() if self._source is not None else {}
        return self._embedded.get(file, "")

    def _read(self, file: str) -> str:
        path = None if self._root is None else _inside(self._root, file)
        if path is None or path.stat().st_size > self._file_bytes:
            return ""
        self.from_disk.append(file)
        return path.read_text(encoding="utf-8", errors="replace")


def _inside(root: Path, file: str) -> Path | None:
    parts = [part for part in PurePosixPath(file.replace("\\", "/")).parts if part not in ("/", "..", ".")]
    if not parts or "\0" in file:
        return None
    for start in range(len(parts)):
        try:
            path = root.joinpath(*parts[start:]).resolve(strict=True)
        except (OSError, RuntimeError):
            continue
        if path.is_relative_to(root) and path.is_file():
            return path
    return None
