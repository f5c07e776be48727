"""What a dataset says of itself: its versions, a digest of what each part was made from, and one of each file."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Self

from ncuanalyze.batch.columns import SCHEMA
from ncuanalyze.batch.json_lines import from_json, record_of, write_whole
from ncuanalyze.batch.staging import digest_of
from ncuanalyze.record import record
from ncuanalyze.version import __version__

BATCH_SCHEMA = "ncuanalyze.batch/1"


@record
class FileMark:
    """What tells a whole file from a cut, changed or foreign one."""

    bytes: int
    sha256: str

    @classmethod
    def of(cls, file: Path) -> Self:
        """The mark of a file as it is."""
        sha256, size = digest_of(file)
        return cls(bytes=size, sha256=sha256)

    def fits(self, file: Path) -> bool:
        """Whether the file is there and as it was marked."""
        try:
            return file.stat().st_size == self.bytes and digest_of(file)[0] == self.sha256
        except OSError:
            return False


@record
class Manifest:
    """``parts`` are digests of what the parts were made from; ``files`` are marks by the path in the dataset."""

    parts: tuple[str, ...] = ()
    files: Mapping[str, FileMark]

    def has(self, output: Path, names: Iterable[str]) -> bool:
        """Whether the files are marked, and are as they were marked: a run may have been killed after it wrote one."""
        return all(name in self.files and self.files[name].fits(output / name) for name in names)


def schema_of(file: Path) -> str:
    """The schema that a manifest names; empty for every other file."""
    return str(_read(file).get("schema") or "")


def read_manifest(file: Path) -> Manifest:
    """The manifest of the dataset that stands; what of it is damaged or not there is left out."""
    known = _read(file)
    parts, files = known.get("parts"), known.get("files")
    marks = {name: record_of(mark, FileMark) for name, mark in (files if isinstance(files, dict) else {}).items()}
    return Manifest(
        parts=tuple(parts) if isinstance(parts, list) else (),
        files={name: mark for name, mark in marks.items() if mark is not None},
    )


def _read(file: Path) -> dict[str, Any]:
    try:
        known = from_json(file.read_bytes())
    except OSError:
        return {}
    return known if isinstance(known, dict) else {}


def write_manifest(file: Path, digests: Sequence[str], files: Mapping[str, FileMark], fingerprint: str) -> None:
    """Write it in one step."""
    manifest = {
        "schema": BATCH_SCHEMA,
        "kernels_schema": SCHEMA,
        "tool": f"ncuanalyze {__version__}",
        "fingerprint": fingerprint,
        "parts": list(digests),
        "files": {name: {"bytes": mark.bytes, "sha256": mark.sha256} for name, mark in files.items()},
    }
    write_whole(file, [json.dumps(manifest, indent=1) + "\n"])
