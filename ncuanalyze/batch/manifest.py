"""What a dataset says of itself: its versions, a digest of what each part was made from, and one of each file."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Self

from ncuanalyze.batch.columns import SCHEMA
from ncuanalyze.batch.json_lines import write_whole
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
    try:
        return str(json.loads(file.read_text(encoding="utf-8"))["schema"])
    except (OSError, ValueError, KeyError, TypeError):
        return ""


def read_manifest(file: Path) -> Manifest:
    """The manifest of the dataset that stands; an empty one where there is none."""
    try:
        known = json.loads(file.read_text(encoding="utf-8"))
        files = {name: FileMark(bytes=mark["bytes"], sha256=mark["sha256"]) for name, mark in known["files"].items()}
        return Manifest(parts=tuple(known["parts"]), files=files)
    except (OSError, ValueError, KeyError, TypeError):
        return Manifest(files={})


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
