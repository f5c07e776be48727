"""The members of a zip archive. Each stands alone: what is wrong with one costs no other."""

from __future__ import annotations

import stat
import zipfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from ncuanalyze.batch.archive_limits import Crowd
from ncuanalyze.batch.packed import Packed

_ENCRYPTED = 0x1


def zip_members(archive: Path, crowd: Crowd, is_wanted: Callable[[str], bool]) -> Iterator[Packed]:
    """Each wanted member, in the order of the directory. Raises one of ``damage()``, or TooLarge."""
    with zipfile.ZipFile(archive) as packed:
        wanted = [info for info in packed.infolist() if not info.is_dir() and is_wanted(info.filename)]
        crowd.check(len(wanted))
        for info in wanted:
            yield Packed(
                name=info.filename, refused=_problem(info), size=info.file_size, open=partial(packed.open, info)
            )


def _problem(info: zipfile.ZipInfo) -> str:
    if info.flag_bits & _ENCRYPTED:
        return "encrypted"
    mode = info.external_attr >> 16
    return "a link or a device, not a file" if mode and stat.S_IFMT(mode) not in (0, stat.S_IFREG) else ""
