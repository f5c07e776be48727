"""The members of a zip archive. Each stands alone: what is wrong with one costs no other."""

from __future__ import annotations

import stat
import zipfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from ncuanalyze.batch.archive_limits import Crowd
from ncuanalyze.batch.packed import Packed
from ncuanalyze.batch.zip_names import name_of

_ENCRYPTED = 0x1
_LOCAL_HEADER_BYTES = 30


def zip_members(archive: Path, crowd: Crowd, is_wanted: Callable[[str], bool]) -> Iterator[Packed]:
    """Each wanted member, in the order of the directory. Raises one of ``damage()``, or TooLarge."""
    with zipfile.ZipFile(archive) as packed:
        files = [(info, name_of(info)) for info in packed.infolist() if not info.is_dir()]
        wanted = [(info, name) for info, name in files if is_wanted(name)]
        crowd.check(len(wanted))
        overlapping = _overlapping(packed)
        for info, name in wanted:
            refused = "it overlaps the next member" if info in overlapping else _problem(info)
            yield Packed(name=name, refused=refused, size=info.file_size, open=partial(packed.open, info))


def _overlapping(packed: zipfile.ZipFile) -> set[zipfile.ZipInfo]:
    """Members whose data, behind the shortest header there is, runs into what follows: the way of many bombs."""
    order = sorted(packed.infolist(), key=lambda info: info.header_offset)
    starts = [*(info.header_offset for info in order), packed.start_dir]
    return {
        info
        for info, end in zip(order, starts[1:], strict=True)
        if info.header_offset + _LOCAL_HEADER_BYTES + info.compress_size > end
    }


def _problem(info: zipfile.ZipInfo) -> str:
    if info.flag_bits & _ENCRYPTED:
        return "encrypted"
    mode = info.external_attr >> 16
    return "a link or a device, not a file" if mode and stat.S_IFMT(mode) not in (0, stat.S_IFREG) else ""
