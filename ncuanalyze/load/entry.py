"""``load``: picks the reader by what the file holds, not by its name."""

from __future__ import annotations

import os
from pathlib import Path

from ncuanalyze.errors import MissingDependency, UnknownFormat, UnreadableReport
from ncuanalyze.load.blocks import MAGIC
from ncuanalyze.load.container import STDIN, ZSTD_MAGIC, Plain, unpacked
from ncuanalyze.load.limits import check_density
from ncuanalyze.profile import Profile
from ncuanalyze.system_errors import hint_of

_HEAD = 4096


def load(path: str | os.PathLike[str]) -> Profile:
    """Read one report: ``.ncu-rep``, any CSV export of ncu, or what ncu printed, packed or not.

    ``-`` reads standard input. Raises UnreadableReport (damaged, empty, no kernels), UnknownFormat (something
    else), ProfilingFailed (the log of a failed run) or MissingDependency, each with a hint.
    """
    source = Path(path)
    shown = "standard input" if str(path) == STDIN else str(source)
    try:
        if source.is_dir():
            raise UnreadableReport(
                f"{shown} is a folder", hint=f"Read a folder of reports with: ncuanalyze batch {shown} -o dataset"
            )
        return _checked(unpacked(source), shown)
    except MissingDependency:
        if profile := _read_packed(source, shown):
            return profile
        raise
    except OSError as error:
        raise UnreadableReport(
            f"cannot read {shown}: {error.strerror or error}", hint=hint_of(error, "Check the path.")
        ) from error


def _read_packed(source: Path, shown: str) -> Profile | None:
    """A ``.ncu-repz`` (a report packed with zstd), which ncu_report opens by itself."""
    if not source.is_file() or source.open("rb").read(len(ZSTD_MAGIC)) != ZSTD_MAGIC:
        return None
    from ncuanalyze.load.ncu_rep import read_packed_report

    return read_packed_report(source, shown)


def _checked(plain: Plain, shown: str) -> Profile:
    profile = _read(plain, shown)
    if plain.packed_bytes:
        check_density(len(profile.launches), plain.packed_bytes)
    return profile


def _read(plain: Plain, shown: str) -> Profile:
    with plain.path.open("rb") as file:
        head = file.read(_HEAD)
        if head.startswith(MAGIC):
            from ncuanalyze.load.ncu_rep import read_report

            return read_report(plain, shown)
        from ncuanalyze.load.text import decode
        from ncuanalyze.load.text_report import read_text

        text = decode(head + file.read()) if decode(head) is not None else None
    if text is None:
        raise UnknownFormat(
            f"{shown} is not a report of Nsight Compute, or its beginning is damaged",
            hint="A report begins with the letters NVR. Copy the file again in binary mode.",
        )
    return read_text(text, shown)
