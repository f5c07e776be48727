"""Puts back into the store what the dataset itself still holds of reports whose outcome is gone."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from ncuanalyze.batch.json_lines import from_json
from ncuanalyze.batch.ledger import Entry
from ncuanalyze.batch.manifest import read_manifest
from ncuanalyze.batch.outcome import Ending, Outcome
from ncuanalyze.batch.output_folder import MANIFEST
from ncuanalyze.batch.store import OutcomeStore


def restore(output: Path, entries: Iterable[Entry], store: OutcomeStore) -> None:
    """Look for the diagnoses of these entries where the cache has none: it may have been deleted."""
    wanted = {entry.report: entry for entry in entries if entry.is_diagnosed and store.get(entry.sha256) is None}
    for file in _whole_parts(output) if wanted else ():
        for document in _documents(file):
            batch = document.pop("batch", None)
            entry = wanted.get(str(batch.get("report"))) if isinstance(batch, dict) else None
            if entry is not None and entry.sha256 == batch.get("sha256"):
                store.keep(entry.sha256, _outcome(entry, document))


def _whole_parts(output: Path) -> Iterator[Path]:
    """Those that are as the manifest marked them: a damaged or foreign one may tell of a report what is not so."""
    manifest = read_manifest(output / MANIFEST)
    for file in sorted((output / "diagnoses").glob("part-*.jsonl.gz")):
        if manifest.has(output, [file.relative_to(output).as_posix()]):
            yield file


def _documents(file: Path) -> Iterator[dict[str, Any]]:
    """The documents of a part, as far as it can be read: the disk may fail."""
    try:
        with gzip.open(file, "rb") as lines:
            for line in lines:
                if isinstance(document := from_json(line), dict):
                    yield document
    except (OSError, EOFError, zlib.error):
        return


def _outcome(entry: Entry, document: dict[str, Any]) -> Outcome:
    data = json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()
    return Outcome(ending=Ending.DIAGNOSED, packed=zlib.compress(data), kernels=entry.kernels, created=entry.created)
