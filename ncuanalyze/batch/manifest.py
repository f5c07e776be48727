"""What a dataset says of itself: its versions, and a digest of each part."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from ncuanalyze.batch.columns import SCHEMA
from ncuanalyze.batch.json_lines import write_whole
from ncuanalyze.version import __version__

BATCH_SCHEMA = "ncuanalyze.batch/1"


def read_digests(manifest: Path) -> list[str]:
    """The digests of the parts that stand; none where there is no manifest."""
    try:
        known = json.loads(manifest.read_text(encoding="utf-8"))
        return list(known["parts"])
    except (OSError, ValueError, KeyError, TypeError):
        return []


def write_manifest(file: Path, digests: Sequence[str], fingerprint: str) -> None:
    """Write it in one step."""
    manifest = {
        "schema": BATCH_SCHEMA,
        "kernels_schema": SCHEMA,
        "tool": f"ncuanalyze {__version__}",
        "fingerprint": fingerprint,
        "parts": list(digests),
    }
    write_whole(file, [json.dumps(manifest, indent=1) + "\n"])
