"""``load``: picks the reader by what the file holds."""

from __future__ import annotations

import lzma
import os
import tempfile
from pathlib import Path

from ncuanalyze.errors import UnreadableReport
from ncuanalyze.profile import Profile

_XZ_MAGIC = b"\xfd7zXZ\x00"


def load(path: str | os.PathLike[str]) -> Profile:
    """Read one report.

    Raises UnreadableReport, UnknownFormat, ProfilingFailed or MissingDependency, each with a hint.
    """
    from ncuanalyze.load.ncu_rep import read_report

    source = Path(path)
    try:
        data = source.open("rb")
    except OSError as error:
        raise UnreadableReport(f"cannot read {source}: {error.strerror}", hint="Check the path.") from error
    with data:
        packed = data.read(len(_XZ_MAGIC)) == _XZ_MAGIC
    if not packed:
        return read_report(source, str(source))
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / "report.ncu-rep"
        plain.write_bytes(lzma.decompress(source.read_bytes()))
        return read_report(plain, str(source))
