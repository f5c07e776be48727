"""Finds the Parquet files of one dataset, or of every dataset in a folder: those that its manifest names."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ncuanalyze.batch.manifest import Manifest, read_manifest
from ncuanalyze.batch.parts import part_files as files_of_part
from ncuanalyze.errors import InvalidInput, UnreadableReport
from ncuanalyze.query.part_checks import AGAIN, Part, check_marks, check_schemas

_KERNELS, _MANIFEST = "kernels", "manifest.json"


def part_files(folder: Path) -> list[Path]:
    """Every part of the dataset in ``folder``, else of the datasets right below it, each as the batch wrote it.

    Raises InvalidInput where there is none, and UnreadableReport for a part that is missing, damaged or different.
    """
    parts = [part for dataset in _datasets(folder) for part in _parts(dataset)]
    if not parts:
        raise InvalidInput(f"{folder} holds no dataset", hint=f"Make one: ncuanalyze batch REPORTS -o {folder}")
    check_marks(parts)
    files = [part.file for part in parts]
    check_schemas(files)
    return files


def _datasets(folder: Path) -> Iterator[Path]:
    if (folder / _KERNELS).is_dir():
        yield folder
    elif folder.is_dir():
        yield from sorted(child for child in folder.iterdir() if (child / _KERNELS).is_dir())


def _parts(dataset: Path) -> list[Part]:
    """The parts that the manifest tells of, with its marks; each is there, and no other is."""
    manifest = _manifest(dataset)
    names = [files_of_part(part)[0] for part in range(len(manifest.parts))]
    there = sorted((dataset / _KERNELS).glob("part-*.parquet"))
    parts = []
    for name in names:
        if dataset / name not in there:
            raise UnreadableReport(f"{dataset / name} is missing", hint=AGAIN)
        if name not in manifest.files:
            raise UnreadableReport(f"{dataset / _MANIFEST} is damaged: it tells nothing of {name}", hint=AGAIN)
        parts.append(Part(file=dataset / name, mark=manifest.files[name]))
    if len(there) > len(names):
        raise UnreadableReport(f"{there[-1]} is none of the {len(names)} parts that the manifest names", hint=AGAIN)
    return parts


def _manifest(dataset: Path) -> Manifest:
    """What tells whole parts from others: without it, an answer may be a smaller one."""
    file = dataset / _MANIFEST
    if not file.exists():
        raise UnreadableReport(f"{dataset} has no {_MANIFEST}, which a batch writes last", hint=AGAIN)
    manifest = read_manifest(file)
    if not manifest.parts:
        raise UnreadableReport(f"{file} is damaged: it names no part", hint=AGAIN)
    return manifest
