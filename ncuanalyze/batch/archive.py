"""The reports inside a zip or tar archive, one after the other, without trusting anything the archive says.

Nothing is written under a member's own name, so no name can lead out of a folder; names that try are refused all the
same, as are links, devices, encrypted members, archives inside archives and whatever unpacks to an absurd size.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ncuanalyze.batch.archive_damage import damage
from ncuanalyze.batch.archive_limits import Budget, Crowd, TooLarge
from ncuanalyze.batch.endings import is_archive, is_report
from ncuanalyze.batch.machine_errors import is_of_this_machine
from ncuanalyze.batch.packed import Packed
from ncuanalyze.batch.tar_members import tar_members
from ncuanalyze.batch.zip_members import zip_members
from ncuanalyze.record import record

MOST_NAME = 1024
_ZIP_MAGIC = b"PK"
_CHUNK = 1 << 20


@record
class Member:
    """A report in an archive: copied to ``file``, or ``refused`` with a reason."""

    name: str
    file: str = ""
    refused: str = ""


def members_of(archive: Path, folder: Path) -> Iterator[Member]:
    """Each report of the archive, copied to a numbered file in ``folder``, in the archive's order.

    Raises one of ``damage()`` where the archive itself cannot be read on, or where this machine fails.
    """
    size = archive.stat().st_size
    budget, crowd = Budget(size), Crowd(size)
    seen: set[str] = set()
    for number, packed in enumerate(_packed_members(archive, budget, crowd)):
        crowd.check(number + 1)
        name = packed.name.removeprefix("./")
        reason = packed.refused or _name_problem(name) or ("a second member of this name" if name in seen else "")
        seen.add(name)
        if reason:
            yield Member(name=_shown(name), refused=reason)
        else:
            yield _copied(name, packed, folder / f"{number}.report", budget)


def _packed_members(archive: Path, budget: Budget, crowd: Crowd) -> Iterator[Packed]:
    with archive.open("rb") as file:
        magic = file.read(len(_ZIP_MAGIC))
    if magic == _ZIP_MAGIC:
        return zip_members(archive, crowd, _is_wanted)
    return tar_members(archive, budget, _is_wanted)


def _is_wanted(name: str) -> bool:
    hidden = name.startswith("__MACOSX/") or name.rsplit("/", 1)[-1].startswith("._")
    return not hidden and (is_report(name) or is_archive(name))


def _name_problem(name: str) -> str:
    parts = name.split("/")
    if len(name) > MOST_NAME or not name.isprintable():
        return "its name is too long or holds control characters"
    if name.startswith("/") or "\\" in name or ".." in parts or ":" in parts[0]:
        return "its name leads out of the archive"
    return "an archive inside an archive" if is_archive(name) else ""


def _shown(name: str) -> str:
    return "".join(char if char.isprintable() else "?" for char in name[:MOST_NAME])


def _copied(name: str, packed: Packed, target: Path, budget: Budget) -> Member:
    if not budget.covers(packed.size):
        return Member(name=name, refused=f"with it the archive unpacks to more than {budget.size:,} bytes")
    budget.spend(packed.size)
    its_fault: tuple[type[Exception], ...] = (*damage(), MemoryError)
    try:
        _copy(packed, target)
    except its_fault as error:
        target.unlink(missing_ok=True)
        if isinstance(error, TooLarge) or is_of_this_machine(error):
            raise
        return Member(name=name, refused=_words(error))
    if not target.stat().st_size:
        target.unlink()
        return Member(name=name, refused="an empty file")
    return Member(name=name, file=str(target))


def _words(error: Exception) -> str:
    return "unpacking it takes too much memory" if isinstance(error, MemoryError) else f"damaged: {error}"


def _copy(packed: Packed, target: Path) -> None:
    stream = packed.open()
    if stream is None:
        raise ValueError("no data")
    with stream, target.open("wb") as out:
        while chunk := stream.read(_CHUNK):
            out.write(chunk)
