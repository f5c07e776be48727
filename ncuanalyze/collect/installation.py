"""Where ``ncu`` and the section folders are: NVIDIA's beside ncu, ours in this package."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from ncuanalyze.collect.process_group import output_of
from ncuanalyze.errors import MissingDependency

VERSION_TIMEOUT_S = 30
STANDARD_ROOTS = (Path("/opt/nvidia/nsight-compute"),)
_VERSION = re.compile(r"Version (\d+\.\d+\.\d+)")


@dataclass(frozen=True)
class Installation:
    """``stock_sections`` is None where NVIDIA's folder was not found."""

    ncu: Path
    version: str = ""
    stock_sections: Path | None = None


def our_sections() -> Path:
    """The folder of the section files that ship with this package."""
    return Path(str(files("ncuanalyze.sections")))


def find_installation(
    ncu: str | None = None,
    stock_sections: Path | None = None,
    *,
    required: bool = True,
    timeout_s: float | None = None,
) -> Installation:
    """The ``ncu`` on the PATH (or the one given) and its section folder; asked for its version within a time.

    Where there is none, ``MissingDependency``; or with ``required=False`` a bare ``ncu``, for another machine.
    """
    found = shutil.which(ncu or "ncu")
    if found is None and not required:
        return Installation(Path(ncu or "ncu"), stock_sections=stock_sections)
    if found is None:
        raise MissingDependency(
            f"{ncu or 'ncu'} is not on the PATH",
            hint="Install Nsight Compute (it comes with the CUDA toolkit), or name it: --ncu /path/to/ncu",
        )
    path = Path(found)
    version = _version(path, min(timeout_s or VERSION_TIMEOUT_S, VERSION_TIMEOUT_S))
    return Installation(path, version, stock_sections or _stock_folder(path, version))


def _version(ncu: Path, timeout_s: float) -> str:
    match = _VERSION.search(output_of([str(ncu), "--version"], timeout_s))
    return match[1] if match else ""


def _stock_folder(ncu: Path, version: str) -> Path | None:
    """Beside ncu, or where the toolkit's wrapper script finds the tool: the same version, else the newest."""
    beside = ncu.resolve().parent / "sections"
    if beside.is_dir():
        return beside
    folders = sorted(_toolkit_folders(ncu), key=_version_key)
    same = [folder for folder in folders if version and version in folder.parent.name]
    return next(iter(same or folders[::-1]), None)


def _toolkit_folders(ncu: Path) -> Iterator[Path]:
    yield from ncu.resolve().parent.parent.glob("nsight-compute-*/sections")
    for root in STANDARD_ROOTS:
        yield from root.glob("*/sections")


def _version_key(folder: Path) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", folder.parent.name))
