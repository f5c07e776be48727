"""Finds the Parquet files of one dataset, or of every dataset in a folder, and holds each against the schema."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from ncuanalyze.batch.columns import SCHEMA, arrow_schema
from ncuanalyze.errors import InvalidInput, UnreadableReport

AGAIN = "Run ncuanalyze batch again with the same paths."
_KERNELS, _MANIFEST = "kernels", "manifest.json"


def part_files(folder: Path) -> list[Path]:
    """Every part of the dataset in ``folder``, else of the datasets right below it, each as it should be.

    Raises InvalidInput where there is none, and UnreadableReport for a part that is missing, damaged or different.
    """
    files = [file for dataset in _datasets(folder) for file in _parts(dataset)]
    if not files:
        raise InvalidInput(f"{folder} holds no dataset", hint=f"Make one: ncuanalyze batch REPORTS -o {folder}")
    for file in files:
        _check(file)
    return files


def first_damaged(files: list[Path]) -> UnreadableReport | None:
    """The error for the first part that cannot be read to its end; None where all can."""
    import pyarrow as pa
    from pyarrow import parquet

    for file in files:
        try:
            with parquet.ParquetFile(file) as part:
                for group in range(part.num_row_groups):
                    part.read_row_group(group)
        except (pa.ArrowException, OSError) as error:
            return _damaged(file, str(error))
    return None


def _datasets(folder: Path) -> Iterator[Path]:
    if (folder / _KERNELS).is_dir():
        yield folder
    elif folder.is_dir():
        yield from sorted(child for child in folder.iterdir() if (child / _KERNELS).is_dir())


def _parts(dataset: Path) -> list[Path]:
    """The parts that stand, which are those that the manifest tells of, where there is one."""
    kernels = dataset / _KERNELS
    files = sorted(kernels.glob("part-*.parquet"))
    told = [kernels / f"part-{part:05}.parquet" for part in range(_told(dataset / _MANIFEST))]
    if not told or files == told:
        return files
    for file in told:
        if file not in files:
            raise UnreadableReport(f"{file} is missing", hint=AGAIN)
    raise UnreadableReport(f"{files[-1]} is none of the {len(told)} parts that the manifest names", hint=AGAIN)


def _told(manifest: Path) -> int:
    """How many parts the manifest tells of; 0 where it says nothing."""
    try:
        known = json.loads(manifest.read_bytes())
    except (OSError, ValueError, RecursionError):
        return 0
    parts = known.get("parts") if isinstance(known, dict) else None
    return len(parts) if isinstance(parts, list) else 0


def _check(file: Path) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    try:
        found = parquet.read_schema(file)
    except (pa.ArrowException, OSError) as error:
        raise _damaged(file, str(error)) from error
    version = (found.metadata or {}).get(b"schema", b"").decode(errors="replace")
    if version != SCHEMA:
        said = f"the schema {version}" if version else "another schema"
        raise UnreadableReport(f"{file} has {said}, not {SCHEMA}", hint=AGAIN)
    for field in arrow_schema():
        place = found.get_field_index(field.name)
        if place < 0 or found.field(place).type != field.type:
            raise UnreadableReport(f"{file} lacks the column {field.name} as {field.type}", hint=AGAIN)


def _damaged(file: Path, reason: str) -> UnreadableReport:
    first = reason.strip().splitlines()[0] if reason.strip() else "no reason given"
    return UnreadableReport(f"{file} is damaged: {first}", hint=AGAIN)
